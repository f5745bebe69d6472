"""The catalog: names, files, and how a command's SPEC finds one."""

import runpy
import tomllib
from pathlib import Path

import pytest

from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT
from icgsynth.errors import InputError
from icgsynth.spec import catalog
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

ROOT = Path(__file__).parents[3]
FILES = {
    "take_away": 'game take_away "Take-away" cite bouton1901 const n = 3 var v '
    "legal v >= 0 action take(k) pre 1 <= k <= n and k <= v eff v := v - k",
    "nim2": "game nim2 var a action take(k) pre 1 <= k <= a eff a := a - k",
}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A catalog of two games, and a working directory without files."""
    folder = tmp_path / "catalog"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.icg").write_text(text, encoding="utf-8")
    (folder / "references.bib").write_text("", encoding="utf-8")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(catalog, "catalog_dir", lambda: folder)
    return folder


def test_the_catalog_of_this_checkout():
    assert catalog.catalog_dir().name == "specs"
    assert list(catalog.names()) == sorted(catalog.names())
    for name in catalog.names():
        assert parse(Source.read(catalog.find(name))).name == name


def test_names_and_find(small):
    assert catalog.names() == ("nim2", "take_away")
    assert catalog.find("nim2") == small / "nim2.icg"
    assert catalog.find("references") is None
    assert catalog.find("../catalog/nim2") is None


def test_entries_come_one_at_a_time(small):
    (small / "zz.icg").write_text("game", encoding="utf-8")
    entries = catalog.entries()
    assert next(entries) == catalog.Entry("nim2", "", (), ())
    entry = next(entries)
    assert (entry.name, entry.title, entry.citations) == ("take_away", "Take-away", ("bouton1901",))
    assert [(name, str(term)) for name, term in entry.constants] == [("n", "3")]
    with pytest.raises(InputError, match=r"zz\.icg"):
        next(entries)


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("lasker_nim", "value lasker_nim", "0 (1 2 4 3)"),
        ("mock_turtles", "value mock_turtles --at 4", "7"),
        ("ruler", "value ruler --at 48", "16"),
        ("lieges_of_legendre", "value lieges_of_legendre", "0 1 2 (0 1)"),
        ("moore_nim", "solve moore_nim --at 1,1,1", "loses"),
        ("sequential_nim", "solve sequential_nim --at 1,1,3", "wins"),
    ],
)
def test_rows_of_heaps_and_piles_are_asked_by_name(name, asked, said, capfd):
    """Lasker's values, Mock Turtles' of the fourth coin, the largest power of 2 that divides 48;
    the values of Codeforces 603C for k = 4; three piles of 1 are lost where two may be touched;
    1, 1, 3 is won, as two piles of 1 come before it.

    Faults it sees: the kind of file is not looked for by a name, or not listed.
    """
    assert catalog.find(name).parent.name == "piles"
    assert run(["list", name]) == 0
    assert name in capfd.readouterr().out
    assert run(asked.split()) == 0
    assert said in capfd.readouterr().out


def test_a_file_comes_before_a_catalog_name(small):
    assert catalog.resolve("nim2") == small / "nim2.icg"
    Path("nim2").mkdir()
    assert catalog.resolve("nim2") == small / "nim2.icg"
    Path("nim2").rmdir()
    Path("nim2").write_text("game", encoding="utf-8")
    assert catalog.resolve("nim2") == Path("nim2")
    assert catalog.resolve(str(small)) == small


@pytest.mark.parametrize(
    ("spec", "mend"),
    [
        ("nim", "did you mean nim2? 'icgsynth list' shows the catalog"),
        ("specs/take_away.icg", "did you mean take_away? 'icgsynth list' shows the catalog"),
        ("q", "give a path or a catalog name; 'icgsynth list' shows the catalog"),
        ("", "give a path or a catalog name; 'icgsynth list' shows the catalog"),
    ],
)
def test_unknown_names(small, spec, mend):
    with pytest.raises(InputError) as caught:
        catalog.resolve(spec)
    assert str(caught.value) == f"there is no file and no catalog game '{spec}'\n  {mend}"


@pytest.mark.parametrize(
    ("spec", "mend"),
    [
        ("NIM2", "did you mean nim2? 'icgsynth list' shows the catalog"),
        ("Take_Away", "did you mean take_away? 'icgsynth list' shows the catalog"),
        ("takeaway", "did you mean take_away "),
        # By a word of its title, "Nim on four heaps of 1, 5, 4 and 2".
        ("haep2", "did you mean nim"),
    ],
)
def test_names_that_are_like_it(spec, mend):
    with pytest.raises(InputError) as caught:
        catalog.resolve(spec)
    assert caught.value.mend.startswith(mend)


@pytest.mark.parametrize("spec", ["tictactoe", "ttt_l", "nim"])
def test_a_finite_game_is_named_with_what_takes_it(spec, capfd):
    """The commands that the mend names take the name: they find its rules."""
    for command in ("check", "value", "table"):
        assert run([command, spec]) == BAD_INPUT
        shown = capfd.readouterr().err
        assert f"{spec} is a finite game" in shown
        assert f"'icgsynth solve {spec}' says who wins" in shown
    assert catalog.resolve(spec).stem == spec


def distributed():
    """The packages that ``setup.py`` hands to setuptools."""
    setuptools = pytest.importorskip("setuptools")
    given = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(setuptools, "setup", lambda **settings: given.update(settings))
        runpy.run_path(str(ROOT / "setup.py"))
    return given["packages"]


def test_the_distribution_carries_every_package_and_the_catalog():
    with (ROOT / "pyproject.toml").open("rb") as stream:
        tables = tomllib.load(stream)["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "icgsynth").rglob("*.py")}
    packages = {".".join(folder.parts) for folder in folders}
    assert set(distributed()) == packages | {"icgsynth.specs"}
    assert tables["package-dir"] == {"icgsynth.specs": "specs"}
    assert "*.icg" in tables["package-data"]["icgsynth.specs"]


COUNTERS = (
    'game counters "Take 1 or 2" var n legal n >= 0 '
    "action take(k) pre k in {1, 2} and k <= n eff n := n - k"
)


@pytest.mark.parametrize("ending", [".icg", ".kif", ".lp", ".pddl"])
def test_a_file_is_found_without_its_ending(small, tmp_path, ending):
    (tmp_path / "work" / f"counters{ending}").write_text("", encoding="utf-8")
    assert catalog.resolve("counters") == Path(f"counters{ending}")
    (small / "counters.icg").write_text(FILES["nim2"], encoding="utf-8")
    assert catalog.resolve("counters") == small / "counters.icg"  # the catalog comes first


def test_commands_open_a_file_without_its_ending(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("counters.icg").write_text(COUNTERS, encoding="utf-8")
    assert run(["solve", "counters", "-q", "-o", "counters.json"]) == 0
    assert run(["export", "counters", "--to", "fft"]) == 0
    assert "counters" in capsys.readouterr().out
    Path("counters.icg").write_text("game counters var", encoding="utf-8")
    assert run(["check", "counters"]) == BAD_INPUT
    assert "counters.icg:1:" in capsys.readouterr().err
