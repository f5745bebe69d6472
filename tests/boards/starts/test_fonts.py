"""A PDF has the letters of Western Europe; others are named, and HTML shows them."""

import pytest

from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.formats.paper import Page, pdf, text_width

RULES = """game g "{title}"
var a
legal a >= 0
action take(k) pre 1 <= k <= 3 and k <= a eff a := a - k
"""


def page_of(*lines, bold=False):
    page = Page()
    for i, line in enumerate(lines):
        page.text(40, 40 + 20 * i, line, 12, bold=bold)
    return page


def test_letters_of_western_europe_need_no_font():
    data = pdf([page_of("Ein Spiel für zwei: × – “…” €")], "t")
    assert b"FontFile" not in data
    assert data == pdf([page_of("Ein Spiel für zwei: × – “…” €")], "t")


def test_letters_of_other_scripts_are_named():
    with pytest.raises(InputError) as caught:
        pdf([page_of("Nim 二堆")], "t")
    assert (
        caught.value.message
        == "the PDF cannot show 二 堆: it has the letters of Western Europe alone"
    )
    assert ".html or .svg" in caught.value.mend
    many = "".join(chr(0x4E00 + i) for i in range(100))
    with pytest.raises(InputError, match=r"\.\.\.: it has the letters") as caught:
        pdf([page_of(many)], "t")
    assert len(caught.value.message) < 100


def test_widths_of_letters_that_helvetica_does_not_have():
    assert text_width("二", 10) == 10
    assert text_width("Н", 10) == text_width("n", 10)


@pytest.mark.parametrize(
    ("title", "code"), [("Ним на двух кучках", 2), ("Take away", 0), ("二堆尼姆", 2)]
)
def test_a_sheet_with_any_title(capfd, tmp_path, title, code):
    pytest.importorskip("numba")
    spec, sheet = tmp_path / "g.icg", tmp_path / "sheet.pdf"
    spec.write_text(RULES.format(title=title), encoding="utf-8")
    assert run(["starts", str(spec), "--moves", "2", "-o", str(sheet), "--quiet"]) == code
    if code:
        assert "the PDF cannot show" in capfd.readouterr().err
        assert not sheet.exists()
        assert run(["starts", str(spec), "--moves", "2", "-o", f"{sheet}.html", "--quiet"]) == 0
