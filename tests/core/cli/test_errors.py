"""Bad input, rule by rule of language.md: exit 2, nothing on stdout, a place and a mend.

In the texts of ``BROKEN`` the sign ``§`` marks where the caret must stand; it is taken out
before the text is written to a file.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from commands import refused
from speed import sampled

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT
from icgsynth.errors import InputError
from icgsynth.explicit import labels
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

NIM = "game nim\nvar a, b\nlegal a >= 0 and b >= 0\n"
TAKE = "action take(k) pre 1 <= k <= a eff a := a - k\n"
RESERVED = re.search(
    r"reserved:\n\n```text\n(.*?)```",
    (Path(__file__).parents[3] / "docs/reference/language.md").read_text("utf-8"),
    re.DOTALL,
)[1].split()


def refusal(tmp_path, capfd, data, *options, command="check"):
    """The message of a refused file, as (line, column, excerpt, caret, rest)."""
    path = tmp_path / "game.icg"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    err = refused(capfd, command, path, *options)
    assert "internal error" not in err
    return path, err


def located(path, err):
    """(line, column, text shown, offset of the caret in it, message, mend) of a message."""
    lines = err.rstrip("\n").split("\n")
    first = re.fullmatch(r"(?:icgsynth: )?(.*?):(\d+):(\d+): (.+)", lines[0])
    assert first, f"no place in: {err[:500]}"
    assert first[1] == str(path)
    assert len(lines) >= 4, f"the line, the caret or the mend is missing: {err[:500]}"
    assert lines[1].startswith("    ") and re.fullmatch(r" +\^", lines[2]), err[:500]
    assert lines[3].strip(), "no mend"
    shown = lines[1][4:]
    return int(first[2]), int(first[3]), shown, len(lines[2]) - 5, first[4], lines[3].strip()


def assert_points(tmp_path, capfd, marked, *options, says=""):
    """The message points at the mark, in numbers and with its caret."""
    before, _, after = marked.partition("§")
    path, err = refusal(tmp_path, capfd, before + after, *options)
    line, column, shown, caret, message, _ = located(path, err)
    expected = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    assert (line, column) == expected, err
    text = (before + after).split("\n")[line - 1].rstrip("\r")
    assert shown == "".join(c if c.isprintable() else "?" for c in text.replace("\t", " "))
    assert caret == column - 1, "the caret is not under the column"
    assert re.search(says, message), message


BROKEN = {
    # what the file consists of
    "no game": ("§var a", "unexpected"),
    "no name": ("game §var a\n" + TAKE, "reserved"),
    "item before game": ("§const n = 3\ngame nim\nvar a\n" + TAKE, "unexpected"),
    "unknown item": (NIM + "§rule x = 3\n" + TAKE, "unexpected"),
    "string on two lines": ('game nim §"Nim\n"\nvar a\n' + TAKE, "unexpected"),
    "no variable": ("game nim\naction pass pre true eff §a := 1", "unknown name 'a'"),
    "no action": ("game nim\nvar a§", "no action"),
    "no precondition": ("game nim\nvar a\naction take(k) §eff a := a - 1", "unexpected"),
    "no effect": ("game nim\nvar a\naction take(k) pre k = 1§", "too early"),
    "text after the file": (NIM + TAKE + "§)", "unexpected"),
    "constant without value": ("game nim\nconst n §var a\n" + TAKE, "unexpected"),
    "constant without value in its line": ("game nim\nconst n§\nvar a\n" + TAKE, "line ends"),
    "effect without value": (NIM + "action t pre a = 1 eff a :=§  # none\n\n" + TAKE, "line ends"),
    "constant from a variable": ("game nim\nvar a\nconst n = §a\n" + TAKE, "not constant|not a"),
    # names
    "unknown name": (NIM + "action take(k) pre 1 <= k <= §c eff a := a - k", "unknown name 'c'"),
    "used before declared": ("game nim\nlegal §a >= 0\nvar a\n" + TAKE, "unknown name 'a'"),
    "constant used before": ("game nim\nvar a\nlegal a >= §n\nconst n = 1\n" + TAKE, "'n'"),
    "parameter of another action": (NIM + TAKE + "action b pre true eff a := a - §k", "'k'"),
    "bound name outside": (NIM + "end (exists x. x = a) and §x = 1\n" + TAKE, "unknown name 'x'"),
    "assigned but unknown": (NIM + "action t(k) pre k = 1 eff §c := a - k", "unknown name 'c'"),
    "two variables": ("game nim\nvar a, §a\n" + TAKE, "already"),
    "variable twice": ("game nim\nvar a\nvar b, §a\n" + TAKE, "already"),
    "variable over constant": ("game nim\nconst a = 1\nvar §a\n" + TAKE, "already"),
    "constant over variable": ("game nim\nvar a\nconst §a = 1\n" + TAKE, "already"),
    "constant twice": ("game nim\nconst n = 1\nconst §n = 2\nvar a\n" + TAKE, "already"),
    "parameter over variable": (NIM + "action t(§a) pre a = 1 eff a := 0", "already"),
    "parameter over constant": ("game g\nconst k = 1\nvar a\naction t(§k) pre true eff a := 0", ""),
    "parameter twice": (NIM + "action t(k, §k) pre k = 1 eff a := a - k", "already"),
    "quantifier over variable": (NIM + "end exists §a. a = 1\n" + TAKE, "already"),
    "quantifier over parameter": (
        NIM + "action t(k) pre exists §k. k = a eff a := a - k",
        "already",
    ),
    "quantifier twice": (NIM + "end exists x, §x. x = a\n" + TAKE, "already"),
    "quantifier in quantifier": (NIM + "end exists x. x = a and forall §x. x = b\n" + TAKE, ""),
    "two actions": (NIM + TAKE + "action §take pre true eff a := 0", "second action|named 'take'"),
    "two legals": (NIM + "§legal a >= 1\n" + TAKE, "twice"),
    "two ends": (NIM + "end a = 0\n§end b = 0\n" + TAKE, "twice"),
    "assigned twice": (NIM + "action t(k) pre k = 1 eff a := a - k, §a := 0", "twice"),
    "constant assigned": ("game g\nconst n = 1\nvar a\naction t pre true eff §n := 2", "constant"),
    "parameter assigned": (NIM + "action t(k) pre k = 1 eff §k := 2", "parameter"),
    # terms
    "product": (NIM + "end §a * b = 1\n" + TAKE, "not linear"),
    "product behind": (NIM + "end 1 + b - §a * b = 1\n" + TAKE, "not linear"),
    "div by 0 or more": (NIM + "action t(k) pre k > -1 eff a := b - §a div k", "not linear"),
    "div beside a product that is allowed": (
        NIM + "action t(k) pre k > -1 and k * b <= 9 eff a := a - §a div k",
        "not linear",
    ),
    "square": (NIM + "end §a * a = 4\n" + TAKE, "not linear"),
    "mod by a variable": (NIM + "end §a mod b = 0\n" + TAKE, "not linear"),
    "div by a variable": (NIM + "end 2 + §a div b = 0\n" + TAKE, "not linear"),
    "mod by a sum": (NIM + "end §a mod (b + 1) = 0\n" + TAKE, r"'a mod \(b \+ 1\)' is not linear"),
    "div of a sum": (NIM + "end §(a + 1) div b = 0\n" + TAKE, r"'\(a \+ 1\) div b' is not linear"),
    "product with a sum": (
        NIM + "end §a * (b + 1) = 2\n" + TAKE,
        r"'a \* \(b \+ 1\)' is not linear",
    ),
    "product of sums": (NIM + "end §(a + 1) * (b - 1) = 2\n" + TAKE, r"'\(a \+ 1\) \* \(b - 1\)'"),
    "mod zero": (NIM + "end a mod §0 = 0\n" + TAKE, "positive"),
    "div negative": (NIM + "end a div §-3 = 0\n" + TAKE, "positive"),
    "mod constant term": (NIM + "end a mod (§3 - 3) = 0\n" + TAKE, "positive"),
    "variable in a set": (NIM + "end a in {1, §b}\n" + TAKE, "constant"),
    "empty set": (NIM + "end a in {§}\n" + TAKE, "unexpected"),
    "unary plus": (NIM + "end a = §+1\n" + TAKE, "unexpected"),
    "formula as a term": (NIM + "end a + (b §= 1) = 2\n" + TAKE, "unexpected"),
    "term as a formula": (NIM + "end a + b§\naction t pre true eff a := 0", "line ends"),
    "single equals in effect": (NIM + "action t pre true eff a §= 0", "unexpected"),
    "double equals": (NIM + "end a =§= 0\n" + TAKE, "unexpected"),
    "chain into a set": (NIM + "end a < b §in {1}\n" + TAKE, "unexpected"),
    "else missing": (NIM + "end (if a = 1 then 2§) = 1\n" + TAKE, "unexpected"),
    "number and name": (NIM + "end a = 2§x\n" + TAKE, "unexpected"),
    # characters
    "sign beyond ASCII": (NIM + "end a §≥ 1\n" + TAKE, "unexpected character"),
    "letter beyond ASCII": ("game nim\nvar §ä\n" + TAKE, "unexpected character"),
    "digit beyond ASCII": (NIM + "end a = §٣\n" + TAKE, "unexpected character"),
    "blank beyond ASCII": (NIM + "end a§\u00a0= 1\n" + TAKE, "unexpected character"),
    "mark in the middle": (NIM + "§\ufeffend a = 1\n" + TAKE, "unexpected character"),
    "NUL": (NIM + "end a = §\0 1\n" + TAKE, "unexpected character"),
    "ampersand": (NIM + "end a = 1 §& b = 1\n" + TAKE, "unexpected character"),
    "behind a title": ('game nim "日本語 é" §3 var a\n' + TAKE, "unexpected"),
    "behind a tab": (NIM + "\tend\ta = §c\n" + TAKE, "unknown"),
    "after CRLF": ("game nim\r\nvar a\r\nlegal §c >= 0\r\n" + TAKE, "unknown"),
    "after a mark": ("\ufeffgame nim\nvar a\nlegal §c >= 0\n" + TAKE, "unknown"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_points_at_the_place(tmp_path, capfd, case):
    assert_points(tmp_path, capfd, BROKEN[case][0], says=BROKEN[case][1])


def test_a_byte_order_mark_is_no_column(tmp_path, capfd):
    path, err = refusal(tmp_path, capfd, "\ufeffgame 3 var a\n" + TAKE)
    assert located(path, err)[:2] == (1, 6)


@pytest.mark.parametrize("word", RESERVED)
def test_reserved_words_are_no_names(tmp_path, capfd, word):
    assert_points(tmp_path, capfd, f"game nim\nvar §{word}\n" + TAKE, says="reserved")


@pytest.mark.parametrize("word", RESERVED)
def test_words_that_only_begin_like_reserved_ones_are_names(word):
    spec = parse(
        Source("t", f"game {word}_ var {word}1, _{word} action a1 pre true eff {word}1 := 0")
    )
    assert spec.variables == (f"{word}1", f"_{word}")


def test_each_item_that_is_none_is_told(tmp_path, capfd):
    """Kills: a file that is not read again behind its first fault."""
    text = "game g\nconst n\nvar a\nlegal a >\nend a = 0\naction t(k) pre k eff a := a - k\n"
    path, err = refusal(tmp_path, capfd, text)
    places = re.findall(rf"{re.escape(str(path))}:(\d+):", err)
    assert places == ["2", "4", "6"]


@pytest.mark.parametrize("value", ["0", "-1", "-1000000"])
def test_a_divisor_must_be_positive_after_set(tmp_path, capfd, value):
    text = "game g\nconst n = 3\nvar a\nlegal a >= 0\naction t(k) pre k = a mod §n eff a := a - k\n"
    assert_points(tmp_path, capfd, text, "--set", f"n={value}", says="positive")
    text = text.replace("mod §n", "div §(n - 1)").replace("§(", "(§")
    assert_points(tmp_path, capfd, text, "--set", "n=1", says="positive")


@pytest.mark.parametrize(
    "given", ["m=3", "n", "n=", "n=x", "=3", "n=3.5", "n=" + "9" * 1001, "n=٣x"]
)
def test_set_is_checked(tmp_path, capfd, given):
    text = f"game g\nconst n = 3\nvar a\nlegal a >= n\n{TAKE}"
    _, err = refusal(tmp_path, capfd, text, "--set", given)
    assert err.strip()


@pytest.mark.parametrize("command", ["check", "solve"])
@pytest.mark.parametrize(
    ("legal", "options"), [("a >= 1 and a <= 0", ()), ("0 <= a <= n", ("--set", "n=-1"))]
)
def test_no_legal_state(tmp_path, capfd, command, legal, options):
    text = f"game g\nconst n = 3\nvar a\nlegal {legal}\n{TAKE}"
    path, err = refusal(tmp_path, capfd, text, *options, command=command)
    line, *_, message, _ = located(path, err)
    assert line == 4 and "no legal state" in message


# --- what must read -------------------------------------------------------------------------


def read(text):
    return parse(Source("t", text))


def test_a_byte_order_mark_and_crlf_are_skipped(tmp_path, capfd):
    path = tmp_path / "game.icg"
    path.write_bytes(b"\xef\xbb\xbf" + (NIM + TAKE).replace("\n", "\r\n").encode())
    assert run(["check", str(path)]) == 0
    capfd.readouterr()


def test_comments_and_strings_may_hold_anything(tmp_path, capfd):
    path = tmp_path / "game.icg"
    text = 'game g "Nim — 日本語 # no comment" # ä ≥ "\nvar a\nlegal a >= 0 # (((\n' + TAKE
    path.write_text(text, "utf-8")
    assert run(["check", str(path)]) == 0
    assert "日本語" in capfd.readouterr().out


def test_pass_with_and_without_parentheses():
    one, two = (read(f"game g var a action pass{p} pre a > 0 eff a := a - 1") for p in ("", "()"))
    assert one == two


def test_bound_names_may_be_used_again():
    read(NIM + "end (exists x. x = a) and (forall x. x > b or x < 3)\n" + TAKE)
    read(NIM + TAKE + "action other(k) pre exists x. x = k eff a := a - k, b := b - 1")


def test_whitespace_and_newlines_are_equal():
    assert read((NIM + TAKE).replace("\n", " ")) == read((NIM + TAKE).replace(" ", "\n\t "))


def test_integers_of_a_thousand_digits(tmp_path, capfd):
    number = "9" * 1000
    spec = read(NIM + f"end a = {number} or b in {{-{number}}}\n" + TAKE)
    assert str(spec).count(number) == 2
    assert read(str(spec)) == spec
    assert_points_at_number(tmp_path, capfd, "9" * 1001)
    assert_points_at_number(tmp_path, capfd, "1" * 5000)


def assert_points_at_number(tmp_path, capfd, number):
    before = NIM + "end a = "
    path, err = refusal(tmp_path, capfd, before + number + "\n" + TAKE)
    line, column, shown, caret, message, _ = located(path, err)
    assert (line, column) == (4, 9)
    assert "digits" in message
    assert len(err) < 1000
    assert shown[caret] == number[0]


def test_a_constant_of_a_thousand_digits(tmp_path, capfd):
    text = f"game g\nconst n = 3\nvar a\nlegal 0 <= a <= n\n{TAKE}"
    path = tmp_path / "game.icg"
    path.write_text(text)
    assert run(["check", str(path), "--set", f"n={'9' * 1000}"]) == 0
    capfd.readouterr()


NESTED = {
    "parentheses": ("(" * 200 + "a = 1" + ")" * 200),
    "parentheses of terms": ("(" * 200 + "a" + ")" * 200 + " = 1"),
    "not": ("not " * 199 + "a = 1"),
    "not with parentheses": ("not (" * 199 + "a = 1" + ")" * 199),
    "minus": ("a = " + "-" * 199 + "1"),
    "minus with parentheses": ("a = " + "-(" * 198 + "1" + ")" * 198),
    "abs": ("abs(" * 198 + "a" + ")" * 198 + " = 1"),
    "min": ("min(b, " * 198 + "a" + ")" * 198 + " = 1"),
    "if": ("(" + "if a = 1 then b else " * 190 + "b) = 1"),
    "if in condition": ("if (" * 95 + "a" + " = 1) then 1 else 2" * 95 + " = 1"),
    "implies": ("a = 1 -> " * 198 + "b = 1"),
    "implies to the left": ("(" * 198 + "a = 1" + " -> b = 1)" * 198),
    "iff": ("a = 1" + " <-> b = 1" * 198),
    "exists": ("".join(f"exists x{i}. " for i in range(190)) + "a = x1"),
    "sums": ("(1 - " * 198 + "a" + ")" * 198 + " = 1"),
    "mod": ("a" + " mod 3" * 190 + " = 0"),
    "products": ("2 * (" * 190 + "a" + ")" * 190 + " = 0"),
    "and in or": ("(a = 1 or (b = 1 and " * 99 + "a = 2" + "))" * 99),
}


@pytest.mark.parametrize("case", NESTED)
def test_nesting_of_depth_200_reads_prints_and_reads_back(case):
    spec = read(f"{NIM}end {NESTED[case]}\n{TAKE}")
    # Compared as texts: == on the trees themselves recurses in Python.
    assert str(read(str(spec))) == str(spec)
    spec.game()


@sampled("case", NESTED, fast=6)
def test_nesting_of_depth_200_is_checked_without_a_crash(tmp_path, capfd, case):
    """No matter what ``check`` finds out, it is an answer."""
    path = tmp_path / "game.icg"
    path.write_text(f"{NIM}end {NESTED[case]}\n{TAKE}")
    assert run(["check", str(path), "--timeout", "6"]) in (0, 4)
    assert "internal error" not in capfd.readouterr().err


DEEP = {
    "parentheses": ("(" * 10_000 + "a = 1" + ")" * 10_000),
    "unclosed": "(" * 10_000,
    "unopened": "a = 1" + ")" * 10_000,
    "not": ("not " * 10_000 + "a = 1"),
    "minus": ("a = " + "-" * 10_000 + "1"),
    "abs": ("abs(" * 10_000 + "a" + ")" * 10_000 + " = 1"),
    "if": ("(" + "if a = 1 then b else " * 10_000 + "b) = 1"),
    "implies": ("a = 1 -> " * 10_000 + "b = 1"),
    "iff": ("a = 1" + " <-> b = 1" * 10_000),
    "mod": ("a" + " mod 3" * 10_000 + " = 0"),
    "exists": ("exists x. " * 10_000 + "a = x"),
    "braces": "a in " + "{" * 10_000,
}


@pytest.mark.parametrize("case", DEEP)
def test_nesting_of_depth_10000_is_refused(tmp_path, capfd, case):
    path, err = refusal(tmp_path, capfd, f"{NIM}end {DEEP[case]}\n{TAKE}")
    line, column, shown, caret, _, _ = located(path, err)
    assert line == 4
    assert column >= 5
    assert len(err) < 1000, "the message shows the whole line"
    assert caret <= len(shown)


@pytest.mark.slow
def test_a_megabyte_line_reads():
    many = (1_000_000 - len(NIM + TAKE) - 20) // len(" and a >= 0")
    text = NIM + "end a < 0" + " and a >= 0" * many + "\n" + TAKE
    assert 990_000 < len(text) <= 1_000_000
    assert read(text).variables == ("a", "b")


def test_a_megabyte_of_comment_reads():
    assert read(NIM + TAKE + "#" + "x" * 999_000).variables == ("a", "b")


@pytest.mark.slow
def test_a_megabyte_line_with_an_error_shows_the_place(tmp_path, capfd):
    before = NIM + "end a < 0" + " and a >= 0" * 80_000 + " and "
    path, err = refusal(tmp_path, capfd, before + "zz = 1\n" + TAKE)
    line, column, shown, caret, message, _ = located(path, err)
    assert (line, column) == (4, len(before) - len(NIM) + 1)
    assert "zz" in message
    assert len(err) < 1000
    assert shown[caret : caret + 2] == "zz", "the caret is not under the place"


def test_a_long_line_keeps_the_caret_under_the_place(tmp_path, capfd):
    for repeat in (3, 6, 7, 8, 20):
        before = NIM + "end a < 0" + " and a >= 0" * repeat + " and "
        path, err = refusal(tmp_path, capfd, before + "zz = 1 and b = 0 and b = 1\n" + TAKE)
        _, _, shown, caret, _, _ = located(path, err)
        assert shown[caret : caret + 2] == "zz"


def test_past_the_limit_of_a_file(tmp_path, capfd):
    _, err = refusal(tmp_path, capfd, NIM + TAKE + "#" + "x" * 5_000_000)
    assert "larger" in err


# --- what is no text at all --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_binary_junk(tmp_path, capfd, seed):
    _, err = refusal(tmp_path, capfd, random.Random(seed).randbytes(3000))
    assert len(err) < 1000
    assert all(c.isprintable() or c == "\n" for c in err)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"# only a comment",
        b"\xef\xbb\xbf",
        b"\xff\xfeg\0a\0m\0e\0",
        b"\0" * 100,
        b"\x1b[31m",
    ],
)
def test_hardly_a_text(tmp_path, capfd, data):
    path, err = refusal(tmp_path, capfd, data)
    located(path, err)
    assert "\x1b" not in err and "\0" not in err


def test_a_byte_that_is_not_utf8_has_a_place(tmp_path, capfd):
    path, err = refusal(tmp_path, capfd, b"game g\nvar a # \xe9t\xe9\n")
    assert located(path, err)[:2] == (2, 9)


@pytest.mark.parametrize("name", ["missing.icg", "no_such_game", "", ".", "a" * 5000, "x\0y", "\n"])
@pytest.mark.parametrize("command", ["check", "solve"])
def test_no_such_file(capfd, tmp_path, monkeypatch, name, command):
    monkeypatch.chdir(tmp_path)
    assert run([command, name]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.strip()
    assert "Traceback" not in err
    assert "\0" not in err and len(err) < 600


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["solve"],
        ["solve", "nim2", "--rule", "miséré"],
        ["solve", "nim2", "--timeout", "-1"],
        ["solve", "nim2", "--timeout", "soon"],
        ["solve", "nim2", "--timeout", "nan"],
        ["solve", "nim2", "--frobnicate"],
        ["solve", "nim2", "nim3"],
        ["solve", "nim2", "--set", "n=3"],
        ["check", "nim2", "--timeout", "0"],
        ["verify", "nim2"],
        ["verify", "nim2", "missing.json"],
        ["export", "missing.json", "--to", "fft"],
        ["export", "missing.json"],
        ["export", "missing.json", "--to", "cobol"],
        ["list", "nim2", "nim3"],
        ["list", "no such word"],
        ["show"],
        ["show", "nim2.icg2"],
    ],
)
def test_bad_usage(capfd, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code = run(arguments)
    out, err = capfd.readouterr()
    if arguments:  # without any arguments, the help may go to stdout
        assert out == ""
    assert code == 2
    assert (out + err).strip()
    assert "Traceback" not in err


# --- all errors of a file at once --------------------------------------------------------------


def places(err):
    """(line, column) of each message, in the order of the output."""
    return [(int(m[1]), int(m[2])) for m in re.finditer(r"game\.icg:(\d+):(\d+): ", err)]


MARKED = {
    "syntax in several items": """game g
var a
legal a >= 0 §&& q > 1
end a =§= 0
action take(k) pre 1 <= k <= 2 eff b §= a - k
cite §3
""",
    "the names of several items": """game g
const n = §m
var a, §n, b
legal a >= 0 and §q > 1
end §z = 0
action take(k) pre 1 <= k <= n eff §c := a - k
action §take(k) pre 1 <= §j <= 2 eff a := b - k, §k := 3
""",
    "a heap of too many": """heaps g
var n
action take(k) pre 1 <= §j <= n into n - k
action take2(k) pre 1 <= k <= n into §x - k
""",
}


@pytest.mark.parametrize("case", MARKED)
def test_every_error_of_a_file_is_shown(tmp_path, capfd, case):
    pieces = MARKED[case].split("§")
    expected, before = [], ""
    for piece in pieces[:-1]:
        before += piece
        expected.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    _, err = refusal(tmp_path, capfd, "".join(pieces))
    assert places(err) == expected, err
    assert err.count("^") == len(expected)
    assert "&& q" not in err or "    legal a >= 0 && q > 1\n" in err  # the line as it was written


def test_what_is_known_after_an_error_makes_no_other(tmp_path, capfd):
    """A constant without a value, a parameter and a bound name are no errors further on."""
    text = (
        "game g\nconst n = m\nvar a\nlegal a >= n\n"
        "action take(k) pre (exists x. x = y) and 1 <= k <= n eff a := a - k\n"
        "action more(k) pre exists x. k = x and 1 <= k <= n eff a := a - k\n"
    )
    _, err = refusal(tmp_path, capfd, text)
    assert places(err) == [(2, 11), (5, 35)], err


def test_one_name_that_nobody_declared_is_one_error(tmp_path, capfd):
    text = NIM + "end c = 0\naction take(k) pre 1 <= k <= c eff a := c - k\n"
    _, err = refusal(tmp_path, capfd, text)
    assert places(err) == [(4, 5)], err


def test_no_more_than_a_screen_of_errors(tmp_path, capfd):
    text = NIM + "".join(f"action t{n} pre x{n} > 0 eff a := 0\n" for n in range(40))
    _, err = refusal(tmp_path, capfd, text)
    assert len(places(err)) == 10
    assert err.endswith("\nand 30 more\n")


OTHERS = [
    ("k ≤ v", "<="), ("k ≥ 1", ">="), ("k ≠ v", "!="), ("k = 1 ∧ v = 1", "and"),
    ("k = 1 ∨ v = 1", "or"), ("¬ k = 1", "not"), ("k = 1 → v = 1", "->"),
    ("k = 1 ↔ v = 1", "<->"), ("k ∈ {1, 2}", "in"), ("k = v − 1", "-"), ("k = 2 · v", "*"),
    ("∃ q. k = 2 * q", "exists"), ("∀ q. k < 2", "forall"), ("k % 2 = 0", "mod"),
    ("k / 2 = 1", "div"), ("k = 1 & v = 1", "and"), ("k = 1 | v = 1", "or"), ("~ k = 1", "not"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "word"), OTHERS)
def test_signs_of_other_languages_come_with_what_they_are_here(written, word):
    """The mend names it, and with that in its place the rules are read."""
    rules = f"game g var v legal v >= 0 action take(k) pre {written} eff v := v - k"
    with pytest.raises(InputError) as caught:
        icg.loads(rules)
    assert f"'{word}'" in caught.value.mend
    (sign,) = {c for c in written if not c.isascii()} or {c for c in written if c in "%/&|~"}
    icg.loads(rules.replace(sign, word))


@pytest.mark.parametrize(("written", "word"), [("v ^ k = 0", "xor"), ("[k = 1]", "parentheses")])
def test_signs_that_are_not_for_rules_are_named(written, word):
    with pytest.raises(InputError) as caught:
        icg.loads(f"game g var v action take(k) pre {written} eff v := v - k")
    assert word in caught.value.mend


@pytest.mark.parametrize(
    ("wrong", "mend"),
    [
        ("game g\n§vars a\nlegal a >= 0\n" + TAKE, "write 'var'"),
        (NIM + "action t(k) pre 1 <= k <= a §effect a := a - k\n", "write 'eff'"),
        (NIM + "§actions t(k) pre 1 <= k <= a eff a := a - k\n", "write 'action'"),
        (NIM + "end a =§= 0\n" + TAKE, "write: end a = 0"),
        (NIM + "end a > 0 =§> b = 0\n" + TAKE, "write '->' for implies, or '>=' for at least"),
        (NIM + "end a <§> 0\n" + TAKE, "write: end a != 0"),
        (NIM + "action t(k) pre 1 <= k <= a eff a §-= k\n", "eff a := a - k"),
        (NIM + "action t(k) pre 1 <= k <= a eff a §= a - k\n", "eff a := a - k"),
        (NIM + "§acton t(k) pre 1 <= k <= a eff a := a - k\n", "did you mean 'action'?"),
        (NIM + "action t(k) §prey 1 <= k <= a eff a := a - k\n", "did you mean 'pre'?"),
        (NIM + "action t(k) pre 1 <= k§, k <= a eff a := a - k\n", "write 'and'"),
        (NIM + "action t(k) pre 1 §≤ k and k <= a eff a := a - k\n", "write '<='"),
    ],
)
def test_what_other_languages_write_is_mended(tmp_path, capfd, wrong, mend):
    assert_points(tmp_path, capfd, wrong)
    path, err = refusal(tmp_path, capfd, wrong.replace("§", ""))
    told = located(path, err)[-1]
    assert mend in told
    if told != mend:  # the line, as it is to be written
        right = told.partition(": ")[2]
        lines = wrong.replace("§", "").split("\n")
        place = wrong[: wrong.index("§")].count("\n")
        icg.loads("\n".join([*lines[:place], right, *lines[place + 1 :]]))


def test_a_missing_legal_is_pointed_out_with_the_line_to_add(tmp_path, capfd):
    path, err = tmp_path / "game.icg", {}
    for line in ("", "legal a >= 0 and b >= 0\n", "legal true\n"):
        path.write_text(f"game g\nvar a, b\n{line}{TAKE}", "utf-8")
        assert run(["check", str(path)]) == 0
        err[line] = capfd.readouterr().err
    (missing, *others) = err.values()
    assert "'legal a >= 0 and b >= 0'" in missing and "'legal true'" in missing
    assert not any(others)


NEVER = "game g\nvar v\nlegal v >= 0\naction add(k) pre 1 <= k <= 3 eff v := v + k\n"


def test_a_game_that_climbs_for_ever_is_named_as_such(tmp_path, capfd):
    path = tmp_path / "game.icg"
    for text, code in ((NEVER, 3), (NEVER.replace("pre", "pre v <= 9 and"), 0)):
        path.write_text(text, "utf-8")
        for command in ("check", "solve"):
            assert run([command, str(path), "-q"]) == code
            said = capfd.readouterr().out
            assert ("every legal state has a move, so play never ends" in said) == (code == 3)


def test_a_game_whose_moves_may_all_be_forbidden_may_end(tmp_path, capfd):
    """Of three moves three are forbidden: who is to move cannot, though each state has moves."""
    path = tmp_path / "game.icg"
    path.write_text(NEVER.replace("action", "block 3\naction"), "utf-8")
    assert run(["check", str(path), "-q"]) != 3
    assert "never ends" not in capfd.readouterr().out


def test_where_all_parameters_have_bounds_no_moves_are_listed_to_see_it(monkeypatch):
    """The check of circular_nim_5_2 took seconds to list them, after its budget."""
    monkeypatch.setattr(labels, "candidates", None)
    assert labels.endless_moves(icg.load("circular_nim_5_2").game) == ""


def test_a_parameter_without_a_bound_is_named(tmp_path, capfd):
    path = tmp_path / "game.icg"
    for more, is_endless in (("", True), (" and k <= x", False)):
        rules = f"game g\nvar x\nlegal x >= 0\naction t(k) pre 1 <= k{more} eff x := x - 1\n"
        path.write_text(rules, "utf-8")
        run(["check", str(path), "-q"])
        said = capfd.readouterr().out
        assert ("t has infinitely many moves" in said) == is_endless
        assert ("parameter 'k' has no upper bound" in said) == is_endless


@pytest.mark.parametrize("command", [["solve", "nim2"], ["value", "nim2"]])
def test_a_format_of_answers_is_told_the_command_that_writes_it(command, tmp_path, capsys):
    """Followed word for word, the mend makes the file."""
    wanted = tmp_path / "x.tex"
    assert run([*command, "-o", str(wanted)]) == BAD_INPUT
    told = capsys.readouterr().err
    answer = tmp_path / "x.json"
    export = f"icgsynth export {answer} -o {wanted}"
    assert f"write -o {answer}, and then: {export}" in told
    assert run([*command, "-q", "-o", str(answer)]) == 0 and run(export.split()[1:]) == 0
    assert wanted.exists()
    assert run([*command, "-o", str(tmp_path / "x.zip")]) == BAD_INPUT
    assert "export" not in capsys.readouterr().err
