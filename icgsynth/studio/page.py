"""Pages of the studio, and routes by which their scripts ask the worker processes."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from icgsynth.studio.crew import QUICK, Crew, Desk, Heard, Task
from icgsynth.studio.faults import Data, fault

Answered = Callable[[Crew, Data], Data]
"""Adds to a request what the server knows, before a worker gets it."""

_TICK = 0.1  # seconds between two looks at what long work says
_ALIVE = 20  # looks after which a page is told that the work goes on
_MOST_SECONDS = 600.0  # the longest time that a page may give long work
_SECONDS = 60.0  # the time of long work if the page does not say
_DEEPEST = 50  # lists within lists of a request; an answer needs five


class StudioPage(NamedTuple):
    """A page: ``name`` is its path, template and script; ``routes`` are what its script may ask."""

    name: str
    title: str
    routes: tuple[Route, ...] = ()


def _as_is(crew: Crew, data: Data) -> Data:
    return data


def _forgotten(crew: Crew, found: Data) -> None:
    pass


def question(
    path: str,
    task: Task,
    completed: Answered = _as_is,
    desk: Desk = "quick",
    kept: Callable[[Crew, Data], None] = _forgotten,
) -> Route:
    """Return the route ``POST path``, which answers with the result of a quick ``task``.
    ``completed`` adds to a request what the server knows, ``kept`` is called with each result;
    ``desk`` names the worker process that does the task."""

    async def endpoint(request: Request) -> Response:
        data = await _body(request)
        if "fault" in data:
            return JSONResponse(data, 400)
        crew: Crew = request.app.state.crew
        asked = (task, completed(crew, data), QUICK, desk)
        found = await run_in_threadpool(crew.ask, *asked)
        kept(crew, found)
        return JSONResponse(found)

    return Route(path, endpoint, methods=["POST"])


def long_work(path: str, task: Task, completed: Answered = _as_is, desk: Desk = "long") -> Route:
    """Return the route ``POST path`` for a ``task`` that sends progress and result as events. The
    work ends when the page closes the connection. ``completed`` and ``desk`` are as for
    :func:`question`."""

    async def endpoint(request: Request) -> Response:
        data = await _body(request)
        if "fault" in data:
            return JSONResponse(data, 400)
        crew: Crew = request.app.state.crew
        seconds = _seconds(data)
        given = {key: value for key, value in data.items() if key != "seconds"}
        heard = crew.begin(task, given, seconds, completed(crew, given), desk)
        events = _events(request, heard, partial(crew.cancel, heard))
        return StreamingResponse(events, media_type="text/event-stream")

    return Route(path, endpoint, methods=["POST"])


async def _events(request: Request, heard: Heard, cancel: Callable[[], None]) -> AsyncIterator[str]:
    quiet = 0
    try:
        while not await request.is_disconnected():
            try:
                message = heard.get_nowait()
            except queue.Empty:
                quiet += 1
                if quiet % _ALIVE == 0:
                    yield ": still at work\n\n"
                await asyncio.sleep(_TICK)
                continue
            yield f"data: {json.dumps(message)}\n\n"
            if "result" in message:
                return
    finally:
        cancel()


async def _body(request: Request) -> Data:
    """Return the JSON object in the body of ``request``; a fault if it is none or nested too
    deep."""
    wrong = fault("the request is no JSON object", "load the page anew")
    deep = fault(f"the request has more than {_DEEPEST} lists within lists", "load the page anew")
    try:
        data = json.loads(await request.body())
    except RecursionError:
        return deep
    except ValueError:
        return wrong
    level = [data]
    for _ in range(_DEEPEST):
        level = [part for whole in level for part in _parts(whole)]
    if level:
        return deep
    return data if isinstance(data, dict) and "fault" not in data else wrong


def _parts(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _seconds(data: Data) -> float:
    """Return the seconds that ``data`` asks for if they are above 0 and at most 600; else 60."""
    wanted = data.get("seconds")
    if isinstance(wanted, int | float) and 0 < wanted <= _MOST_SECONDS:
        return float(wanted)
    return _SECONDS
