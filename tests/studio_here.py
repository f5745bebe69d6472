"""The studio for tests: its application without a browser, and its pages in one."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
with warnings.catch_warnings():  # newer versions prefer another client, which does the same
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from icgsynth.studio.server import studio_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

TOKEN, PORT = "a-token-of-the-test", 8765
SITE = f"http://127.0.0.1:{PORT}"
LONG = 300_000  # milliseconds: kernels may have to be compiled first
_STEP = 50  # milliseconds between two looks at a page
PHONE, DESK = {"width": 390, "height": 800}, {"width": 1400, "height": 900}


def stranger(opened: dict[str, Any] | None = None) -> TestClient:
    """Return a client of the studio that has no token yet."""
    app = studio_app(TOKEN, PORT, opened) if opened else studio_app(TOKEN, PORT)
    return TestClient(app, base_url=SITE, headers={"origin": SITE})


@contextmanager
def let_in(opened: dict[str, Any] | None = None) -> Iterator[TestClient]:
    with stranger(opened) as client:
        assert client.get(f"/?token={TOKEN}").status_code == 200
        yield client


def ask(client: TestClient, path: str, **data: Any) -> Any:
    answer = client.post(path, content=json.dumps(data))
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(client: TestClient, path: str, **data: Any) -> tuple[list[str], Any]:
    """Return the messages and the result of long work."""
    text = client.post(path, content=json.dumps(data)).text
    heard = [json.loads(e[6:]) for e in text.split("\n\n") if e.startswith("data: ")]
    return [e["progress"] for e in heard[:-1]], heard[-1]["result"]


def work(client: TestClient, path: str, **data: Any) -> Any:
    """Return the result of long work."""
    return events(client, path, **{"seconds": 60, **data})[1]


@contextmanager
def opened_page(browser: Browser, address: str, size: dict[str, int]) -> Iterator[Page]:
    """Yield a page of the studio; fail if it asks another machine for anything, or has errors."""
    site = address.partition("/?")[0]
    context = browser.new_context(viewport=size, base_url=site)
    context.set_default_timeout(LONG)
    asked: list[str] = []
    wrong: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    found = context.new_page()
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    found.on("dialog", lambda dialog: wrong.append(dialog.message))
    found.goto(address)
    yield found
    found.unroute_all(behavior="ignoreErrors")  # an answer may be on its way as a test ends
    context.close()
    assert asked and all(url.startswith(site + "/") for url in asked), asked
    assert not wrong, wrong


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until ``holds()``; ``wait_for_function`` evaluates a text, which the pages forbid."""
    for _ in range(LONG // _STEP):
        if holds():
            return
        page.wait_for_timeout(_STEP)
    raise AssertionError("it does not come to hold")


def at(page: Page, path: str, **words: str) -> Page:
    """Open a page of the studio by its permalink, and return it."""
    page.goto("about:blank")
    page.goto(f"{path}#{urlencode(words)}")
    return page


def has(page: Page, selector: str, text: str) -> None:
    """Wait until an element that ``selector`` names shows ``text``."""
    page.locator(selector, has_text=text).first.wait_for()


def hurry(page: Page) -> None:
    """Let a search for a short strategy end after six seconds: what is done with it is tested.

    A search takes all the seconds that it is given, and the page gives it ten.
    """

    def asks_less(route: Route) -> None:
        route.continue_(post_data={**route.request.post_data_json, "seconds": 6})

    page.route(re.compile("/(play/tree|build/rest)$"), asks_less)


def to(page: Page, name: str) -> None:
    """Click the link ``name`` in the navigation at the top of each page."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
    page.wait_for_load_state()  # else what is done next may come before the page listens
