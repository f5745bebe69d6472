"""The application: its pages, their scripts, and the guard before all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import jinja2
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from icgsynth.studio.crew import Crew
from icgsynth.studio.faults import Data
from icgsynth.studio.guard import Guard
from icgsynth.studio.pages import PAGES, StudioPage
from icgsynth.studio.tasks.games import readied
from icgsynth.studio.tasks.play_tasks import solved

__all__ = ["studio_app"]

_HERE = Path(__file__).parent
_BOARDS = _HERE.parent / "export" / "page"  # board.js and page.css, which exported pages hold too
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def studio_app(
    token: str, port: int, opened: Data | None = None, crew: Crew | None = None
) -> ASGIApp:
    """The studio for whoever has ``token``, served at ``port`` of this machine.

    ``opened`` is what the first page begins with (:func:`~icgsynth.studio.opening.opening`).
    ``crew`` does the work, by default one of its own.
    """
    crew = crew or Crew()
    if opened and "answer" in opened:
        # A file says what it likes: it is an answer only once it is proved again.
        given = {"given": opened["answer"], "passing": True}
        crew.remember(solved, {"game": opened["game"]}, given)
    # Everything that a template is given is escaped: names of games may hold anything.
    loader = jinja2.FileSystemLoader(_HERE / "templates")
    templates = jinja2.Environment(loader=loader, autoescape=True)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        crew.warm(readied)
        yield
        crew.close()

    shown = [_shown(templates, page, opened) for page in PAGES]
    routes = [Route("/", shown[0].endpoint), *shown]
    routes += [route for page in PAGES for route in page.routes]
    routes += [_served("static", _HERE / "static"), _served("boards", _BOARDS)]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.crew = crew
    return Guard(app, token, port)


def _shown(templates: jinja2.Environment, page: StudioPage, opened: Data | None) -> Route:
    """The route of the page itself."""

    async def endpoint(request: Request) -> Response:
        template = templates.get_template(f"{page.name}.html")
        return HTMLResponse(template.render(page=page, pages=PAGES, opened=opened or {}))

    return Route(f"/{page.name}", endpoint, name=page.name)


def _served(name: str, folder: Path) -> Route:
    """The scripts, styles and pictures of a folder, which are read once."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in _TYPES}

    async def endpoint(request: Request) -> Response:
        wanted = request.path_params["file"]
        if wanted not in files:
            raise HTTPException(404)
        return Response(files[wanted], media_type=_TYPES[Path(wanted).suffix])

    return Route(f"/{name}/{{file}}", endpoint)
