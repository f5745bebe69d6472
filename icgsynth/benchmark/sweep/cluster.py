"""Run sweep jobs on a Dask cluster: the text of each game is sent, and its record comes back.

The workers need this package and nothing else, no common disk; results are written here alone. A
job whose worker is lost is given to another one by the scheduler.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.benchmark.sweep.job import not_run
from icgsynth.benchmark.sweep.job_worker import perform
from icgsynth.benchmark.sweep.record import Record
from icgsynth.errors import IcgError, InputError

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT = 5.0  # seconds to find the scheduler
_AHEAD = 4  # jobs that each thread of the cluster may have waiting
_LOOK = 5.0  # seconds between two counts of the cluster's threads
_TICK = 0.25  # seconds at most between two calls of ``tick``
_GO_ON = "the lines written so far are kept: run the same command again, it goes on from there"


def run_there(
    messages: Iterator[Mapping[str, Any]],
    address: str,
    deliver: Callable[[Record], None],
    tick: Callable[[], None],
    warn: Callable[[str], None],
) -> None:
    """Run all sweep jobs on the Dask cluster at ``address``, and deliver their records.

    ``messages`` tell the jobs; ``deliver`` gets each record, ``tick`` is called now and then,
    ``warn`` gets sentences, all from this thread only.  Raises :class:`InputError` where the extra
    is missing, the address does not answer, workers cannot do such jobs, or the connection is lost.
    """
    client = connect(address)
    try:
        _Window(client, messages, warn).run(deliver, tick)
    except (Exception, CancelledError) as error:
        # Once the connection is gone, any call may fail in any way.
        if isinstance(error, IcgError) or client.status == "running":
            raise
        raise InputError("the connection to the cluster is lost", mend=_GO_ON) from None
    finally:
        client.close(timeout=_CONNECT)


def connect(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise wings.lacking("--dask needs dask.distributed", "cluster", "omit --dask") from None
    # Silence Dask's loggers, some of which have levels of their own: the errors below say all.
    for name in [n for n in logging.root.manager.loggerDict if n.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # Ask the scheduler first: a client that could not connect takes long to shut down.
        asyncio.run(_ask(address))
        return Client(address, timeout=_CONNECT, set_as_default=False)
    except Exception as error:  # whatever answers there may send anything
        said = str(error).partition("\n")[0][:200] or type(error).__name__
        raise InputError(
            f"--dask {address}: no scheduler answers ({said})",
            mend="give the address that 'dask scheduler' printed, such as tcp://127.0.0.1:8786",
        ) from None


async def _ask(address: str) -> None:
    """Raise an exception of any kind unless a Dask scheduler answers at ``address``."""
    from distributed import rpc

    async with rpc(address, timeout=_CONNECT) as peer:
        identity = await asyncio.wait_for(peer.identity(), _CONNECT)
    if identity["type"] != "Scheduler":
        raise ValueError(f"that is a {identity['type']}")


class _Window:
    """Keeps a bounded number of jobs submitted to the cluster, and submits new ones as jobs end."""

    def __init__(
        self, client: Client, messages: Iterator[Mapping[str, Any]], warn: Callable[[str], None]
    ) -> None:
        self._client = client
        self._messages = messages
        self._warn = warn
        self._finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._there: dict[str, Mapping[str, Any]] = {}  # the message of each job, without text
        self._threads = -1
        self._looked = -_LOOK

    def run(self, deliver: Callable[[Record], None], tick: Callable[[], None]) -> None:
        futures: dict[str, Future] = {}
        try:
            while True:
                room = max(0, self._room() - len(futures))
                for message in islice(self._messages, room):
                    future = self._submit(message)
                    futures[future.key] = future
                if not futures:
                    return
                try:
                    future = self._finished.get(timeout=_TICK)
                except queue.Empty:
                    if self._client.status == "closed":
                        raise ConnectionError("the client was closed") from None
                    tick()
                    continue
                deliver(self._record(futures.pop(future.key)))
        finally:
            self._client.cancel(list(futures.values()))

    def _room(self) -> int:
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            threads = sum(self._client.nthreads().values())
            if threads == 0 and self._threads != 0:
                self._warn("the cluster has no workers; waiting for some")
            self._threads, self._looked = threads, now
        return _AHEAD * max(1, self._threads)

    def _submit(self, message: Mapping[str, Any]) -> Future:
        # Not pure: a game may be solved again after a change of the program.
        future = self._client.submit(perform, message, pure=False)
        self._there[future.key] = {k: v for k, v in message.items() if k != "text"}
        future.add_done_callback(self._finished.put)
        return future

    def _record(self, future: Future) -> Record:
        from distributed import KilledWorker

        message = self._there.pop(future.key)
        try:
            record: Record = future.result()
        except KilledWorker as error:
            return not_run(message, f"its workers were lost: {str(error)[:300]}", code=1)
        except CancelledError:
            raise InputError("the connection to the cluster is lost", mend=_GO_ON) from None
        except Exception as error:
            if self._client.status != "running":
                raise
            said = f"{type(error).__name__}: {error}"[:300]
            raise InputError(
                f"the workers of the cluster cannot do such jobs ({said})",
                mend="install the same version of icgsynth where they run; " + _GO_ON,
            ) from None
        return record
