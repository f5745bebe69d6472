"""Letters beyond those of every PDF reader: a font is embedded, or the letters are named."""

import re
import zlib
from pathlib import Path

import pytest

from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.export import canvas
from icgsynth.export.canvas import Page, pdf, text_width

RULES = """game g "{title}"
var a
legal a >= 0
action take(k) pre 1 <= k <= 3 and k <= a eff a := a - k
"""


@pytest.fixture(autouse=True)
def no_fonts_of_this_machine(monkeypatch):
    monkeypatch.delenv("ICGSYNTH_FONT", raising=False)
    monkeypatch.setattr(canvas, "_of_this_machine", tuple)


def page_of(*lines, bold=False):
    page = Page()
    for i, line in enumerate(lines):
        page.text(40, 40 + 20 * i, line, 12, bold=bold)
    return page


def streams(data):
    """All that a PDF holds compressed, as one text."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    plain = []
    for part in found:
        try:
            plain.append(zlib.decompress(part))
        except zlib.error:
            plain.append(part)
    return b"\n".join(plain)


def mapped(data):
    """The letters that a reader gets for the glyphs of embedded fonts, when text is copied."""
    pairs = re.findall(rb"<[0-9A-Fa-f]{4}> <([0-9A-Fa-f]{4})>", streams(data))
    return {chr(int(code, 16)) for code in pairs}


def test_letters_of_western_europe_need_no_font():
    data = pdf([page_of("Ein Spiel für zwei: × – “…” €")], "t")
    assert b"FontFile" not in data
    assert data == pdf([page_of("Ein Spiel für zwei: × – “…” €")], "t")


@pytest.mark.parametrize("bold", [False, True])
def test_cyrillic_and_greek_are_embedded(bold):
    pytest.importorskip("matplotlib")
    pages = [page_of("Ним: a = 7", "Ελληνικά", "plain", bold=bold)]
    data = pdf(pages, "Ним")
    assert b"FontFile" in data and b"DejaVuSans" in data
    assert set("НимΕληνικά") <= mapped(data)
    assert data == pdf(pages, "Ним")


def test_letters_that_no_font_has_are_named(monkeypatch):
    with pytest.raises(InputError) as caught:
        pdf([page_of("Nim 二堆")], "t")
    assert caught.value.message == "the PDF cannot show 二 堆: no font here has them"
    assert "ICGSYNTH_FONT=FILE.ttf" in caught.value.mend
    assert ".html or .svg" in caught.value.mend
    many = "".join(chr(0x4E00 + i) for i in range(100))
    with pytest.raises(InputError, match=r"\.\.\.: no font here") as caught:
        pdf([page_of(many)], "t")
    assert len(caught.value.message) < 100


def test_a_font_that_is_named_comes_first(monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    mono = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSansMono.ttf"
    monkeypatch.setenv("ICGSYNTH_FONT", str(mono))
    assert b"DejaVuSansMono" in pdf([page_of("Ним")], "t")
    no_font = tmp_path / "font.ttf"
    no_font.write_bytes(b"no font")
    monkeypatch.setenv("ICGSYNTH_FONT", str(no_font))
    data = pdf([page_of("Ним")], "t")  # the next one is taken
    assert b"DejaVuSans" in data and b"DejaVuSansMono" not in data
    monkeypatch.setenv("ICGSYNTH_FONT", str(tmp_path / "nowhere.ttf"))
    with pytest.raises(InputError, match="ICGSYNTH_FONT: there is no file"):
        pdf([page_of("Ним")], "t")


def test_widths_of_letters_that_helvetica_does_not_have():
    assert text_width("二", 10) == 10
    assert text_width("Н", 10) == text_width("n", 10)


@pytest.mark.parametrize(
    ("title", "code"), [("Ним на двух кучках", 0), ("Take away", 0), ("二堆尼姆", 2)]
)
def test_a_sheet_with_any_title(capfd, tmp_path, title, code):
    pytest.importorskip("numba")
    pytest.importorskip("matplotlib")
    spec, sheet = tmp_path / "g.icg", tmp_path / "sheet.pdf"
    spec.write_text(RULES.format(title=title), encoding="utf-8")
    assert run(["starts", str(spec), "--moves", "2", "-o", str(sheet), "--quiet"]) == code
    if code:
        assert "the PDF cannot show" in capfd.readouterr().err
        assert not sheet.exists()
        assert run(["starts", str(spec), "--moves", "2", "-o", f"{sheet}.html", "--quiet"]) == 0
    else:
        assert set(title) - set(map(chr, range(256))) <= mapped(sheet.read_bytes())
