"""The studio's pages Gallery, Puzzles and Automaton: what they ask, and what people see."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import warnings

import pytest
from chromium_here import chromium

pytest.importorskip("starlette", reason="the extra studio is not installed")
with warnings.catch_warnings():  # newer versions prefer another client, which does the same
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from icgsynth.spec.catalog import finite_names, names
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.references import references
from icgsynth.studio.app import studio_app

TOKEN, PORT = "a-token-of-the-test", 8766
SITE = f"http://127.0.0.1:{PORT}"
LONG = 120_000  # milliseconds: kernels may have to be compiled first
SIZES = {"desk": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 800}}


@pytest.fixture(scope="module")
def client():
    with TestClient(studio_app(TOKEN, PORT), base_url=SITE, headers={"origin": SITE}) as found:
        assert found.get(f"/?token={TOKEN}").status_code == 200
        yield found


def ask(client, path, **data):
    answer = client.post(path, content=json.dumps(data))
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- references ----------------------------------------------------------------------------------


def test_references_are_read_as_people_write_them():
    known = references()
    text = (catalog_dir() / "references.bib").read_text("utf-8")
    assert list(known) == re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    said = known["abuku2025"]
    assert said.text().startswith("Tomoaki Abuku, Hiroki Inazu,")
    assert said.links == {"arXiv:2509.04943": "https://arxiv.org/abs/2509.04943"}
    assert known["abuku2021"].text("*") == (
        "Tomoaki Abuku, Koki Suetsugu. Delete Nim. "
        "*Journal of Mathematics, Tokushima University*, 2021"
    )
    assert not any(set("{}\\$") & set(each.text()) for each in known.values())


# --- Gallery -------------------------------------------------------------------------------------


def test_the_gallery_has_every_game_of_the_catalog_with_its_sources(client):
    games = {game["name"]: game for game in ask(client, "/gallery/list")["games"]}
    assert set(games) == {*names(), *finite_names()}
    assert not games["nim2"]["finite"] and games["tictactoe"]["finite"]
    assert games["take_away"]["constants"] == ["n = 3"]
    assert any("v mod (n + 1) = 0" in said for said in games["take_away"]["theorems"])
    for name in ("chomp_2row", "wythoff"):
        text = (catalog_dir() / f"{name}.icg").read_text("utf-8")
        cited = re.search(r"^cite (.*)$", text, re.MULTILINE)[1].split(", ")
        assert [s["text"] for s in games[name]["sources"]] == [
            references()[key].text() for key in cited
        ]


# --- in the browser ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address():
    command = [sys.executable, "-m", "icgsynth", "studio", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(params=list(SIZES))
def page(request, browser, address):
    """A page that was let in.  Nothing may be asked of any other machine, nothing may go wrong."""
    site = address.partition("/?")[0]
    context = browser.new_context(viewport=SIZES[request.param], base_url=site)
    context.set_default_timeout(LONG)
    asked, wrong = [], []
    context.on("request", lambda request: asked.append(request.url))
    found = context.new_page()
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    found.goto(address)
    found.goto("about:blank")
    yield found
    assert found.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
    assert asked and all(url.startswith(site + "/") for url in asked), asked
    assert not wrong


@pytest.mark.slow
def test_a_game_is_found_in_the_gallery_answered_and_played(page):
    page.goto("/gallery")
    page.locator(".card").first.wait_for()
    page.get_by_label("Search").fill("chomp two rows")
    assert page.locator(".card:visible").count() == 1
    assert "#search=chomp+two+rows" in page.url
    card = page.locator(".card:visible")
    card.locator(".card-picture svg").wait_for()
    card.get_by_text("Rules", exact=True).click()
    card.get_by_text("action eat1(k)").wait_for()
    card.get_by_role("button", name="Answer").click()
    card.get_by_text("Proved for all states.").wait_for()
    assert "a = b + 1" in card.locator(".card-answer").inner_text()
    card.get_by_role("link", name="Play").click()
    page.locator(".square").first.wait_for()
    assert "/play#game=chomp_2row" in page.url


@pytest.mark.slow
def test_the_gallery_draws_board_games_as_boards(page):
    page.goto("/gallery#show=finite")
    page.locator(".card:visible").first.wait_for()
    assert page.locator(".card:visible").count() == len(set(finite_names()) - set(names()))
    page.locator('.card[aria-label="Tic-tac-toe"]').scroll_into_view_if_needed()
    page.locator('.card[aria-label="Tic-tac-toe"] .cell').nth(8).wait_for()
