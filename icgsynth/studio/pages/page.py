"""What a page of the studio is, and how it asks the worker processes."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from icgsynth.studio.crew import QUICK, Crew, Heard, Task
from icgsynth.studio.faults import Data, fault

Answered = Callable[[Crew, Data], Data]
"""Adds to a request what the server knows, before a worker gets it."""

_TICK = 0.1  # seconds between two looks at what long work says
_ALIVE = 20  # looks after which a page is told that the work goes on
_MOST_SECONDS = 600.0  # that a page may give long work
_SECONDS = 60.0  # that it has if the page does not say


class StudioPage(NamedTuple):
    """``name`` is its path, its template and its script; ``routes`` are what its script asks."""

    name: str
    title: str
    routes: tuple[Route, ...] = ()


def _as_is(crew: Crew, data: Data) -> Data:
    return data


def question(
    path: str,
    task: Task,
    completed: Answered = _as_is,
    seconds: float = QUICK,
    of_long: bool = False,
) -> Route:
    """``POST path``: a quick question.  ``of_long``: asked of the process for long work."""

    async def endpoint(request: Request) -> Response:
        data = await _body(request)
        if "fault" in data:
            return JSONResponse(data, 400)
        crew: Crew = request.app.state.crew
        ask = crew.ask_long if of_long else crew.ask
        return JSONResponse(await run_in_threadpool(ask, task, completed(crew, data), seconds))

    return Route(path, endpoint, methods=["POST"])


def long_work(path: str, task: Task, completed: Answered = _as_is) -> Route:
    """``POST path``: long work, which tells its progress and its result by server-sent events.

    It is cancelled when the page closes the connection.
    """

    async def endpoint(request: Request) -> Response:
        data = await _body(request)
        if "fault" in data:
            return JSONResponse(data, 400)
        crew: Crew = request.app.state.crew
        seconds = _seconds(data)
        given = {key: value for key, value in data.items() if key != "seconds"}
        heard = crew.begin(task, given, seconds, completed(crew, given))
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
    """The JSON object that a request holds, or a fault."""
    wrong = fault("the request is no JSON object", "load the page anew")
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        return wrong
    return data if isinstance(data, dict) and "fault" not in data else wrong


def _seconds(data: Data) -> float:
    """The budget that a page asks for, within what it may ask."""
    wanted = data.get("seconds")
    if isinstance(wanted, int | float) and 0 < wanted <= _MOST_SECONDS:
        return float(wanted)
    return _SECONDS
