"""The docs: every example runs, the reference is complete, Sphinx builds without a warning.

A page is run from top to bottom in a folder of its own:

* a block with a ``:caption:`` that names a file, or with a first line ``# file: NAME``,
  writes that file;
* a ``console`` block holds ``$ command`` lines, each followed by all that it prints on both
  streams.  ``# exit 3`` behind a command is its exit code (0 without it), ``...`` stands for any
  text, on a line of its own for any lines.  Seconds are not compared.  In a dialogue, what a
  person types stands behind the prompt ``your move>``;
* a ``python`` block is a doctest.

A file that a page writes and that stands beside the page as well, a drawing say, must be the same.

``PYTHONPATH=tests python tests/whole/test_docs.py`` puts the true output into the console blocks
that are out of date.
"""

import difflib
import doctest
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pytest
from coq_here import answered, require_coq

from icgsynth.cli import group, run
from icgsynth.cli import output as codes
from icgsynth.export import SCHEMA_PATH
from icgsynth.spec.catalog import finite_names, names
from icgsynth.wings import wings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = [ROOT / "README.md", *sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts)]
SHOWN = {"sh", "text", "json", "icg", "lisp", "bibtex"}  # not run, unless they are a file

# --- reading a page ----------------------------------------------------------------------

_FENCE = re.compile(r"^(`{3,})(\{[\w-]+\})?\s*(.*)$")
_OPTION = re.compile(r"^:(\w+):\s*(.*)$")
_FILE = re.compile(r"^[#;] file: (\S+)$")
_COMMAND = re.compile(r"^\$ (.*?)(?:\s+# exit (\d+))?$")
_TYPED = re.compile(r"^your move> (.+)$")


@dataclass(frozen=True)
class Block:
    """``body`` starts at the 0-based line ``start`` of its page."""

    language: str
    body: tuple[str, ...]
    start: int
    file: str = ""


def blocks(text):
    """The fenced code of a page; other directives are passed over."""
    lines = iter(enumerate(text.splitlines()))
    for _, line in lines:
        if (opened := _FENCE.match(line)) is None:
            continue
        inside = [*itertools.takewhile(lambda item, end=opened[1]: item[1] != end, lines)]
        directive, language = opened[2] or "", opened[3]
        options = {}
        while directive and inside and (option := _OPTION.match(inside[0][1])):
            options[option[1]] = option[2]
            inside.pop(0)
        while inside and not inside[0][1]:
            inside.pop(0)
        body = tuple(text for _, text in inside)
        head = _FILE.match(body[0]) if body else None
        file = head[1] if head else options.get("caption", "")
        if directive in ("", "{code-block}") and body:
            yield Block(language, body, inside[0][0], file)


@dataclass(frozen=True)
class Step:
    """One command of a console block, with what it is said to print."""

    command: str
    code: int
    expected: tuple[str, ...]
    start: int  # the line of the command

    @property
    def typed(self):
        """What a person types at the prompts."""
        found = (_TYPED.match(line) for line in self.expected)
        return "".join(f"{match[1]}\n" for match in found if match)


def steps(block):
    current = None
    for number, line in enumerate(block.body, block.start):
        if match := _COMMAND.match(line):
            if current:
                yield current
            current = Step(match[1], int(match[2] or 0), (), number)
        else:
            assert current, f"line {number + 1}: a console block starts with a command"
            current = replace(current, expected=(*current.expected, line))
    if current:
        yield current


# --- running it --------------------------------------------------------------------------


def execute(step):
    """``(exit code, output)`` of a command, in the current folder."""
    program, *arguments = shlex.split(step.command)
    if program == "cat":
        return 0, "".join(Path(name).read_text(encoding="utf-8") for name in arguments)
    if program == "icgsynth" and "--timeout" not in arguments:
        stream = io.StringIO()
        typed = mock.patch("sys.stdin", io.StringIO(step.typed))
        with redirect_stdout(stream), redirect_stderr(stream), typed:
            code = run(arguments)
        return code, stream.getvalue()
    if program == "coqc":
        done = answered(Path(*arguments).read_text("utf-8"))
        return done.returncode, done.stdout + done.stderr
    # A run that spends its budget may end its process, so it gets one of its own.
    programs = {
        "icgsynth": [sys.executable, "-m", "icgsynth"],
        "python": [sys.executable],
        "z3": [str(Path(sys.executable).with_name("z3"))],
    }
    done = subprocess.run(
        [*programs[program], *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        input=step.typed,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def normal(text):
    """Without what differs from run to run: seconds, blanks at the ends; how many states of
    members were drawn, which are fewer where a busy machine does less in the seconds for that."""
    text = "\n".join(line.rstrip() for line in text.splitlines()).rstrip()
    text = re.sub(r"\b[1-9][\d,]*(\s+states\s+of members)", r"N\1", text)
    text = re.sub(r"\b\d+(\.\d+)? s\b", "N s", text)
    return re.sub(r'("seconds": \{)[^}]*\}', r"\1}", text) + "\n"


def matches(expected, output):
    """Whether the output is the expected lines, ``...`` standing for anything."""
    pattern = ""
    for line in normal("\n".join(expected)).splitlines():
        whole = r"(?:.*\n)*?" if line.strip() == "..." else None
        pattern += whole or re.escape(line).replace(r"\.\.\.", ".*?") + r"\n"
    return re.fullmatch(pattern, normal(output)) is not None


def as_typed(step, output):
    """The output as the terminal shows it, with what was typed behind each prompt."""
    typed = iter(step.typed.splitlines())
    return re.sub(
        "^your move> ", lambda m: f"{m[0]}{next(typed, '')}\n", output, flags=re.MULTILINE
    )


def console(page):
    """``(step, exit code, output)`` of each command; files and doctests on the way."""
    names = {"__name__": "docs"}
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text("\n".join(block.body) + "\n", encoding="utf-8")
        elif block.language == "console":
            for step in steps(block):
                code, output = execute(step)
                yield step, code, as_typed(step, output)
        elif block.language == "python":
            run_doctest(page, block, names)
        else:
            assert block.language in SHOWN, f"{page}: a block in '{block.language}'"


def run_doctest(page, block, names):
    text = "\n".join(block.body) + "\n"
    assert ">>>" in text, f"{page.name}:{block.start + 1}: a python block is a doctest"
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), block.start)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = io.StringIO()
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, report.getvalue()


def clean_start(monkeypatch):
    """Exported modules can be imported from the current folder; README names specs/."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.syspath_prepend(str(Path.cwd()))
    (Path.cwd() / "specs").symlink_to(ROOT / "specs")


# Pages whose examples search for more than a few seconds.
LONG = (
    *("family.md", "digits.md", "starts.md", "sweep.md", "search.md", "own-game.md"),
    *("howto/finite-games.md", "reference/solution-file.md"),
    *("explanation/values.md", "howto/sums.md", "howto/export.md", "howto/coq.md"),
)


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=pytest.mark.slow) if p.as_posix().endswith(LONG) else p for p in PAGES],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_examples(page, tmp_path, monkeypatch):
    if page.name == "coq.md":
        require_coq()
    monkeypatch.chdir(tmp_path)
    clean_start(monkeypatch)
    before = set(sys.modules)
    try:
        for step, code, output in console(page):
            expected = "\n".join(step.expected)
            difference = "\n".join(
                difflib.unified_diff(
                    normal(expected).splitlines(), normal(output).splitlines(), "docs", "real"
                )
            )
            where = f"{page.relative_to(ROOT)}:{step.start + 1}: $ {step.command}"
            assert matches(step.expected, output), f"{where}\n{difference}"
            assert code == step.code, f"{where}\nexit {code}, not {step.code}\n{output}"
        for written in filter(Path.is_file, tmp_path.iterdir()):
            shown = page.with_name(written.name)
            assert not shown.exists() or shown.read_bytes() == written.read_bytes(), shown
    finally:
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
                del sys.modules[name]


# --- what the pages say ------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_looks_like_an_output_is_one(page):
    """Text that nothing runs is a file or, in the reference, the form of one.

    README showed five rules as those of a command that prints five others.
    """
    if REFERENCE not in page.parents:
        texts = [b for b in blocks(page.read_text(encoding="utf-8")) if b.language == "text"]
        assert all(block.file for block in texts)


def words(page):
    return (REFERENCE / page).read_text(encoding="utf-8")


def test_every_command_and_exit_code_is_in_the_reference():
    text = words("command-line.md")
    for name in group.commands:
        assert f"`icgsynth {name}" in text
    for name in ("BAD_INPUT", "CRASH", "DONE", "REFUTED", "UNKNOWN"):
        assert re.search(rf"^\| {getattr(codes, name)} \|", text, re.MULTILINE), name


def test_every_key_of_the_solution_file_is_in_the_reference():
    text = words("solution-file.md")
    schema = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))
    for key in schema["$defs"]["solution"]["properties"]:
        assert f"\n`{key}`" in text, key


def test_every_word_of_the_grammar_is_in_the_reference():
    grammar = (ROOT / "icgsynth/spec/icg.lark").read_text(encoding="utf-8")
    text = words("language.md")
    listed = re.search(r"reserved:\n\n```text\n(.*?)```", text, re.DOTALL)[1]
    of_heaps = re.search(r"begins with `heaps`, `(\w+)` and `(\w+)` are reserved", text).groups()
    of_piles = re.search(r"begins with `piles`, `(\w+)` and\s`(\w+)`", text).groups()
    between_operands_alone = {"xor", "divides"}
    words_of_it = set(re.findall(r'"([a-z]+)"', grammar)) - between_operands_alone
    assert words_of_it == {*listed.split(), *of_heaps, *of_piles}


def test_the_readme_has_two_commands_and_no_dead_link():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for b in blocks(text) if b.language == "sh" for line in b.body]
    assert len(commands) == 2 and commands[1].endswith("pytest")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / link).exists(), link


def test_a_teacher_finds_the_sheet_and_the_browser_where_reading_begins():
    """In README before the rules of a game, and at the end of the tutorial."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## A game of your own")[0]
    tutorial = (DOCS / "tutorial/own-game.md").read_text(encoding="utf-8").split("\n## ")[-2]
    for text in (readme, tutorial):
        assert re.search(r"`icgsynth [^`]*-o \w+\.pdf`", text)
        assert re.search(r"`icgsynth studio \w+", text)
    assert "\n| `pdf` |" in (DOCS / "howto/export.md").read_text(encoding="utf-8")


def test_the_first_command_of_the_readme_installs_what_its_page_shows():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    extras = set(re.search(r"'\.\[([\w,]+)\]' &&", text)[1].split(","))
    assert {"fft", "studio"} <= extras
    later = text.partition("## Set up")[2]
    needed = {"icgsynth fft": "fft", "icgsynth starts": "fft", "icgsynth studio": "studio"}
    assert all(needed[shown] in extras for shown in needed if shown in text)
    assert "is enough for every command on this page" in later


def test_inner_words_are_for_who_changes_the_code():
    inside = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for word in ("arena", "view", "tier"):
        assert f"\n| *{word}* |" in inside
        pages = (DOCS / "explanation/vocabulary.md").read_text(encoding="utf-8")
        assert not re.search(rf"\b{word}s?\b", pages, re.IGNORECASE)


def test_a_version_of_the_changelog_is_about_ten_lines_that_cite_an_issue_and_a_page():
    """Faults it sees: a long section, a line without its issue, a link to no page or heading."""
    entry = re.compile(r"^- .*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
    _, *versions = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")
    assert versions
    for version in versions:
        entries = entry.findall(version)
        assert 0 < len(entries) <= 12, version
        for each in entries:
            assert re.search(r"\(#\d+(,\s#\d+)*\)\s*\Z", each), each
            links = re.findall(r"\]\(([^)#:]+)(?:#([^)]+))?\)", each)
            assert links, f"no page tells more: {each}"
            for page, heading in links:
                text = (ROOT / page).read_text(encoding="utf-8")
                assert not heading or heading in headings(text), f"{page}#{heading}"


def headings(text):
    """The names by which links find the headings of a page, as GitHub and Sphinx make them."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.slow
def test_sphinx_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="the docs extra is not installed")
    # -E, and a folder of its own: nothing comes from an earlier build.
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(tmp_path / "doctrees"), str(DOCS), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 0, done.stderr
    catalog = (tmp_path / "html/reference/catalog.html").read_text(encoding="utf-8")
    assert "monotonic_2diet_wythoff" in catalog and "Horváth" in catalog
    # The gallery has a card for each game, with a picture or a board, and links that lead there.
    gallery = (tmp_path / "html/gallery.html").read_text(encoding="utf-8")
    for name in names():
        assert f'id="game-{name}"' in gallery
        assert (tmp_path / f"html/gallery/{name}.svg").stat().st_size
    for name in finite_names():
        assert f'id="game-{name}"' in gallery
    linked = set(re.findall(r'catalog\.html#(ref-[^"]*)"', gallery))
    assert linked and all(f'id="{target}"' in catalog for target in linked)
    assert "copybutton.js" in gallery
    plan = (tmp_path / "html/explanation/house.html").read_text(encoding="utf-8")
    assert all(f"<code>{part}</code>" in plan for part in ("errors", "prove", *wings()))
    notebook = (tmp_path / "html/howto/notebook.html").read_text(encoding="utf-8")
    assert "wins if and only if <code>a != b + 1</code>" in notebook  # the notebook has been run


# --- bringing the pages up to date -------------------------------------------------------


def refresh(page):
    """Put the true output where the page says something else."""
    lines = page.read_text(encoding="utf-8").splitlines()
    outdated = [
        (step, code, output)
        for step, code, output in console(page)
        if code != step.code or not matches(step.expected, output)
    ]
    for step, code, output in reversed(outdated):
        assert code != codes.CRASH, output
        print(f"{page.relative_to(ROOT)}:{step.start + 1}: $ {step.command}")
        head = f"$ {step.command}" + (f"  # exit {code}" if code else "")
        body = [line.rstrip() for line in output.rstrip().splitlines()]
        kept = step.expected[len("\n".join(step.expected).rstrip().splitlines()) :]
        lines[step.start : step.start + 1 + len(step.expected)] = [head, *body, *kept]
    if outdated:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    for each in chosen:
        with (
            tempfile.TemporaryDirectory() as folder,
            chdir(folder),
            pytest.MonkeyPatch.context() as m,
        ):
            clean_start(m)
            refresh(each)
