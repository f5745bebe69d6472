"""The server of the studio, which only this machine can reach."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from icgsynth.errors import InputError
from icgsynth.studio.app import studio_app
from icgsynth.studio.crew import Crew
from icgsynth.studio.faults import Data
from icgsynth.studio.guard import new_token

__all__ = ["serve"]

_HOST = "127.0.0.1"
_GOING = 1  # seconds that open connections have when the server ends


def serve(port: int, opens: bool, opened: Data | None, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; ``say`` gets the address, which the browser ``opens`` as well.

    ``port`` 0 takes any that is free; :class:`~icgsynth.errors.InputError` where it is taken.
    """
    # With the protocol named, asyncio sends small answers at once, and not 40 ms later.
    kind = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    with socket.socket(*kind) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((_HOST, port))
        except OSError as error:
            reason = (error.strerror or "it cannot be had").lower()
            mend = "leave --port out, or choose another"
            raise InputError(f"port {port}: {reason}", mend=mend) from None
        listening.listen()
        port = listening.getsockname()[1]
        token, crew = new_token(), Crew()
        config = uvicorn.Config(
            studio_app(token, port, opened, crew),
            # What goes wrong in a request is told to its page; here it is for developers.
            log_level="error" if os.environ.get("ICGSYNTH_DEBUG") else "critical",
            access_log=False,
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=_GOING,
        )
        address = f"http://{_HOST}:{port}/?token={token}"
        say(address)
        if opens:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _Server(config, crew).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends the work first of all, so that pages that wait for it hear so and let go."""

    def __init__(self, config: uvicorn.Config, crew: Crew) -> None:
        super().__init__(config)
        self._crew = crew

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._crew.close()
        await super().shutdown(sockets)
