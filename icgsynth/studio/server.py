"""The server of the studio, which only this machine can reach, and its application.

The application has the pages, their scripts, and the guard before all of them.
"""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import jinja2
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from icgsynth.errors import InputError
from icgsynth.spec.catalog import files
from icgsynth.studio.crew import Crew
from icgsynth.studio.faults import Data
from icgsynth.studio.guard import Guard, new_token
from icgsynth.studio.page import StudioPage
from icgsynth.studio.pages import FRAME, PAGES, keep_given
from icgsynth.studio.tasks.games import warm_imports

# --- app -----------------------------------------------------------------------------------------

_HERE = Path(__file__).parent
_BOARDS = _HERE.parent / "formats" / "page"  # board.js and page.css, which exported pages hold too
_PICTURES = _HERE.parent / "export"  # table.css: the colours of pictures on dark pages
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def studio_app(
    token: str, port: int, opened: Data | None = None, crew: Crew | None = None
) -> ASGIApp:
    """Return the application of the studio, for whoever has ``token``, at ``port`` of this machine.
    ``opened`` is what the first page shows (:func:`~icgsynth.studio.opening.opening` returns it);
    ``crew`` does the work, by default one of its own."""
    crew = crew or Crew()
    keep_given(crew, opened or {})
    # Everything that a template is given is escaped: names of games may hold anything.
    loader = jinja2.FileSystemLoader(_HERE / "templates")
    templates = jinja2.Environment(loader=loader, autoescape=True)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        crew.warm(warm_imports)
        yield
        crew.close()

    shown = [_page_route(templates, page, opened) for page in PAGES]
    routes = [Route("/", shown[0].endpoint), *shown]
    routes += [*FRAME, *(route for page in PAGES for route in page.routes)]
    routes += [_folder_route("static", _HERE / "static"), _folder_route("boards", _BOARDS)]
    routes.append(_folder_route("pictures", _PICTURES))
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.crew = crew
    return Guard(app, token, port)


def _page_route(templates: jinja2.Environment, page: StudioPage, opened: Data | None) -> Route:
    """Return the route of ``page``, which answers with its template filled in: with ``opened``, all
    pages, and the names of the catalog."""
    catalog = list(files("gdl", "icg", "asp"))

    async def endpoint(request: Request) -> Response:
        template = templates.get_template(f"{page.name}.html")
        given = {"page": page, "pages": PAGES, "opened": opened or {}, "catalog": catalog}
        return HTMLResponse(template.render(given))

    return Route(f"/{page.name}", endpoint, name=page.name)


def _folder_route(name: str, folder: Path) -> Route:
    """Return the route ``/name/FILE`` of all scripts, styles and pictures in ``folder``."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in _TYPES}

    async def endpoint(request: Request) -> Response:
        wanted = request.path_params["file"]
        if wanted not in files:
            raise HTTPException(404)
        return Response(files[wanted], media_type=_TYPES[Path(wanted).suffix])

    return Route(f"/{name}/{{file}}", endpoint)


# --- server --------------------------------------------------------------------------------------

_HOST = "127.0.0.1"
_PORT = 8642  # the usual port: browsers keep what a page stores for one address
_GOING = 1  # seconds that open connections have when the server ends


def serve(port: int | None, opens: bool, opened: Data | None, say: Callable[[str], None]) -> None:
    """Serve the studio until Ctrl-C; ``say`` gets the address, which a browser shows if ``opens``.
    ``opened`` is what the first page shows. ``port`` 0 takes any that is free, and None the usual
    one if that is free; :class:`~icgsynth.errors.InputError` where the port is taken."""
    # With the protocol named, asyncio sends small answers at once, and not 40 ms later.
    kind = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    with socket.socket(*kind) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(listening, port)
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


def _bind(listening: socket.socket, port: int | None) -> None:
    if port is None:
        try:
            listening.bind((_HOST, _PORT))
        except OSError:
            listening.bind((_HOST, 0))
        return
    try:
        listening.bind((_HOST, port))
    except OSError as error:
        reason = (error.strerror or "it cannot be had").lower()
        mend = "leave --port out, or choose another"
        raise InputError(f"port {port}: {reason}", mend=mend) from None


class _Server(uvicorn.Server):
    """A server that first ends its crew's work, so that waiting pages hear of it and let go."""

    def __init__(self, config: uvicorn.Config, crew: Crew) -> None:
        super().__init__(config)
        self._crew = crew

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._crew.close()
        await super().shutdown(sockets)
