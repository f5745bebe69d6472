"""Exports: each text is run by what it is written for, and held against the game itself."""

import ast
import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product

import jsonschema
import pytest
from commands import validate
from effort import Calls
from hand_solved import (
    ALL,
    chomp,
    chomp_misere,
    game,
    loaded,
    loser_of,
    nim2,
    nim2_misere,
    solved,
    take_away,
)

import icgsynth as icg
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.export.strategy_formats import fft
from icgsynth.formats.asp import asp
from icgsynth.formats.dot import dot
from icgsynth.formats.python import python_module
from icgsynth.formats.python_digits import DigitNames
from icgsynth.formats.python_terms import Writer, own_names
from icgsynth.formats.smt2 import smt2
from icgsynth.game.answers import BoxCheck, Verdict
from icgsynth.game.game import Move
from icgsynth.game.solution import PARTS, Exclusion, Solution
from icgsynth.game.strategy import SemiGroundAction, Strategy
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.smtlib import expression
from icgsynth.logic.term import Int
from icgsynth.mathematics.latex import latex, mathematics
from icgsynth.spec.icg import parse_formula, parse_term

SIDE = 9
NAMES = ("a", "b")


def states(of):
    for state in product(range(-2, SIDE), repeat=len(of.variables)):
        if of.is_legal(state):
            yield state


def random_formula(rng, depth):
    """A formula over a and b as text, with every construct but quantifiers."""
    if depth == 0:
        return rng.choice(["true", "a = b", "a < 3", f"{random_term(rng, 0)} != 1"])
    left, right = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    x, y, z = (random_term(rng, depth - 1) for _ in range(3))
    ops = [rng.choice(["=", "!=", "<", "<=", ">", ">="]) for _ in range(2)]
    return rng.choice(
        [
            f"({left}) and ({right})",
            f"({left}) or ({right})",
            f"not ({left})",
            f"({left}) -> ({right})",
            f"({left}) <-> ({right})",
            f"({x}) {ops[0]} ({y}) {ops[1]} ({z})",
            f"({x}) {ops[0]} ({y})",
            f"({x}) in {{0, -2, 3}}",
        ]
    )


def random_term(rng, depth):
    if depth == 0:
        return rng.choice(["a", "b", "2", "-3", "0"])
    x, y = random_term(rng, depth - 1), random_term(rng, depth - 1)
    test = random_formula(rng, depth - 1)
    return rng.choice(
        [
            f"({x}) + ({y}) - ({x})",
            f"-({x})",
            f"({x}) - ({y})",
            f"-2 * ({x})",
            f"({x}) mod 3",
            f"-({x}) mod 4",
            f"({x}) div 3",
            f"min({x}, {y})",
            f"max({x}, ({y}) + 1)",
            f"abs({x})",
            f"if {test} then {x} else {y}",
        ]
    )


# --- Python ----------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_python_module_is_the_game_and_wins(build):
    solution = build()
    of, module = solution.game, loaded(solution)
    loses = loser_of(of, solution.rule)
    assert module["VARIABLES"] == of.variables
    for state in states(of):
        assert module["is_winning"](*state) is not loses(state), state
        moves = list(of.moves(state))
        move = module["move"](*state)
        assert (move is None) == (not moves or loses(state)), state
        if move is not None:
            action, parameters = move
            assert Move(action, tuple(parameters.items())) in moves
            assert loses(module["result"](action, parameters, *state))
        for action, k in product(of.actions, range(-1, SIDE + 2)):
            ground = Move(action.name, ((action.parameters[0], k),))
            if ground in moves:
                after = module["result"](action.name, {action.parameters[0]: k}, *state)
                assert after == of.result(state, ground)
            else:
                with pytest.raises(ValueError):
                    module["result"](action.name, {action.parameters[0]: k}, *state)


@pytest.mark.parametrize("build", ALL)
@pytest.mark.parametrize("name", ["is_winning", "move"])
def test_python_module_refuses_what_is_no_state(build, name):
    function = loaded(build())[name]
    count = len(build().game.variables)
    for bad in (-1, True, 2.0, "3", None, (1,)):
        with pytest.raises(ValueError):
            function(*[bad] * count)
    for length in (0, count + 1):
        with pytest.raises(ValueError):
            function(*[1] * length)


def test_python_module_refuses_what_is_no_move():
    module = loaded(nim2())
    for action, parameters in [
        ("take_c", {"k": 1}),
        ("take_a", {}),
        ("take_a", {"k": 1, "j": 1}),
        ("take_a", {"k": True}),
        ("take_a", {"k": 1.0}),
        ("take_a", None),
        ([], {"k": 1}),
    ]:
        with pytest.raises(ValueError):
            module["result"](action, parameters, 5, 5)
    with pytest.raises(ValueError):
        loaded(chomp())["result"]("eat1", {"k": 1}, 1, 0)  # the declared end


def test_python_module_does_little_work_on_large_piles():
    module = loaded(nim2_misere())
    rounds, large = 300, 10**30
    with Calls() as calls:
        for i in range(rounds):
            action, parameters = module["move"](large + i, 3)
            assert not module["is_winning"](*module["result"](action, parameters, large + i, 3))
    assert calls.count / rounds < 1000  # 36 as counted


def test_python_module_needs_nothing():
    run = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-W",
            "error",
            "-c",
            python_module(chomp()) + "print(move(9, 3))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "('eat1', {'k': 5})"
    imported = [n for n in ast.walk(ast.parse(python_module(chomp()))) if isinstance(n, ast.Import)]
    assert not imported


AWKWARD = ["lambda", "move", "result", "class", "state", "after", "t1", "__debug__", "_ints"]
AWKWARD += ["_do_take", "min_", "k", "values"]


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("parameter", ["import", "state", "t1", "params", "after", "_do_take"])
def test_python_names_that_clash(name, parameter):
    if name == parameter:
        return
    of = game(
        f"game clash var {name}, other legal {name} >= 0 and other >= 0 and other <= {name} "
        f"action take({parameter}) pre 1 <= {parameter} <= {name} - other "
        f"eff {name} := {name} - {parameter} action none pre {name} < 0 eff {name} := 0"
    )
    text = f"{name} != other"
    answer = solved(of, "normal", text, f"{name} = other", (text, "take", f"{name} - other"))
    module = loaded(answer)
    assert module["VARIABLES"] == (name, "other")
    assert module["move"](10, 4) == ("take", {parameter: 6})
    assert module["result"]("take", {parameter: 6}, 10, 4) == (4, 4)
    assert module["move"](4, 4) is None
    with pytest.raises(ValueError):
        module["result"]("none", {}, 4, 4)


# What random formulas rarely hit: where a printed minus sign belongs, and to what.
SIGNS = [
    "a + -b mod 3 = 1",
    "a + (-b) div 2 - -a = 0",
    "a - -2 * b + -3 * a = 1",
    "a - (b - a) + -(a + b) < 0",
    "-(-a) - -1 = 3",
    "(a - b) mod 3 * 2 = 4",
    "2 * (a mod 3) mod 2 = 0",
    "a - (if a = 1 then b else a) - 1 > 0",
]


def test_python_expressions_mean_the_same():
    rng = random.Random(1)
    for text in [*SIGNS, *(random_formula(rng, 3) for _ in range(200))]:
        formula = parse_formula(text, NAMES)
        writer = Writer({"a": "a", "b": "b"}, DigitNames(own_names()))
        source = "\n".join([*writer.steps, f"out = {writer.show(formula).text}"])
        code = compile(source, "f", "exec")
        for a, b in [(0, 0), (5, -7), (0, 2), (-4, 3), (10**30, 1 - 10**30)]:
            space = {"a": a, "b": b}
            exec(code, space)
            assert space["out"] is satisfies(formula, {"a": a, "b": b}), (text, source)


DEEP = {
    "negations": ("not (" * 205 + "a = 1" + ")" * 205, 5),
    "implications": ("(" * 205 + "a = 1" + " -> b = 1)" * 205, 5),
    "equivalences": ("(" * 205 + "a = 1" + " <-> b = 1)" * 205, 5),
    "minima": ("min(b, " * 205 + "a" + ")" * 205 + " = 1", 5),
    "choices": ("(if a = 1 then " * 205 + "b" + " else a)" * 205 + " < 3", 5),
    "minuses": ("-(" * 205 + "a" + ")" * 205 + " < 3", 5),
    "a long sum": (" + ".join(["a", "b", "-b"] * 1000) + " = 1000", 1),
    "a long difference": (" - ".join(["a mod 3"] * 250) + " > -300", 1),
    "a long chain": (" <= ".join(["a", "b"] * 700), 5),
    "a long disjunction": (" or ".join(f"a = {i}" for i in range(3, 1500)), 5),
    "a large set": (f"a in {{{', '.join(map(str, range(3, 3000)))}}}", 5),
}


@pytest.mark.parametrize("text", DEEP)
def test_deep_and_long_formulas_compile(text):
    formula = parse_formula(DEEP[text][0], NAMES)
    writer = Writer({"a": "a", "b": "b"}, DigitNames(own_names()))
    shown = writer.show(formula).text
    code = compile("\n".join([*writer.steps, f"out = {shown}"]), "f", "exec")
    for a, b in [(1, 1), (2, 1), (0, 5), (7, 7)]:
        space = {"a": a, "b": b}
        exec(code, space)
        assert space["out"] is satisfies(formula, {"a": a, "b": b})
    assert expression(formula).count("(") == expression(formula).count(")")
    assert mathematics(formula)


def test_python_module_keeps_to_the_legal_states():
    of = game("game g var a legal a >= 5 action t(k) pre k >= 1 and k <= 3 eff a := a - k")
    module = loaded(solved(of, "normal", "a > 5", "a = 5", ("true", "t", "3"), ("true", "t", "1")))
    assert module["move"](6) == ("t", {"k": 1})
    with pytest.raises(ValueError):
        module["result"]("t", {"k": 2}, 6)


def test_python_module_without_a_strategy():
    open_ = {**nim2().proof, "strategy": Verdict.UNKNOWN}
    module = loaded(replace(nim2(), strategy=Strategy(), tree=Strategy(), proof=open_))
    assert module["is_winning"](3, 4) and module["move"](4, 4) is None
    with pytest.raises(NotImplementedError):
        module["move"](3, 4)


def test_python_module_skips_rules_that_do_not_apply():
    """An unproved strategy never returns an illegal move."""
    of = nim2().game
    unproved = solved(
        of, "normal", "a != b", "a = b", ("true", "take_a", "b"), ("a > b", "take_a", "1")
    )
    module = loaded(replace(unproved, status="unknown"))
    assert module["move"](3, 2) == ("take_a", {"k": 2})
    assert module["move"](3, 0) == ("take_a", {"k": 1})
    with pytest.raises(RuntimeError):
        module["move"](1, 2)


def test_quantified_formulas_are_refused():
    of = nim2().game
    formula = "exists k. a = b + 2 * k"
    answer = solved(of, "normal", formula, f"not ({formula})", ("a > b", "take_a", "a - b"))
    for fmt in ("python", "asp"):
        with pytest.raises(Refused, match="exists k"):
            export(answer, fmt)
    assert r"\exists k" in latex(answer)
    assert "(exists ((k Int))" in smt2(answer)


# --- SMT-LIB ---------------------------------------------------------------------------


def verdicts(text):
    """z3's answer to each block of the script, with its claim and its status."""
    import z3

    head, *blocks = text.split("(push 1)")
    claims = re.findall(r"^; (.*)\n\(push 1\)", text, re.MULTILINE)
    declared = "\n".join(x for x in head.splitlines() if x.startswith(("(declare", "(define")))
    for claim, block in zip(claims, blocks, strict=True):
        body, status = re.match(r"(.*)\(set-info :status (\w+)\)", block, re.DOTALL).groups()
        solver = z3.Solver()
        solver.from_string(declared + body)
        assert solver.assertions(), claim
        yield claim, str(solver.check()), status


@pytest.mark.parametrize("build", ALL)
def test_smt2_obligations_hold(build):
    answers = list(verdicts(smt2(build())))
    assert len(answers) >= 6
    for claim, answer, status in answers:
        assert answer == "unsat", claim
        assert status == "unsat" or claim.endswith("has a move")  # shown with guessed moves


@pytest.mark.parametrize(
    ("build", "winning", "claim"),
    [
        (nim2, "a > b", "each state is winning or losing"),
        (take_away, "v mod 3 != 0", "take never leads from a losing state"),
        (chomp, "a != b", "each state is winning or losing"),
    ],
)
def test_smt2_refutes_what_is_wrong(build, winning, claim):
    right = build()
    formula = parse_formula(winning, right.game.variables)
    wrong = replace(right, winning=replace(right.winning, formula=formula))
    if build is take_away:
        losing = parse_formula("v mod 3 = 0", ("v",))
        wrong = replace(wrong, losing=replace(right.losing, formula=losing))
    failed = [c for c, answer, _ in verdicts(smt2(wrong)) if answer == "sat"]
    assert any(claim in c for c in failed)


def test_smt2_strategy_is_part_of_it():
    wrong = solved(nim2().game, "normal", "a != b", "a = b", ("a > b", "take_a", "a - b"))
    failed = [c for c, answer, _ in verdicts(smt2(wrong)) if answer == "sat"]
    assert failed == [
        f"the {part} every winning state" for part in ("strategy covers", "cover has")
    ]
    tree = [c for c, _, _ in verdicts(smt2(nim2())) if c.startswith("the tree covers")]
    assert tree


LACKING = "a losing state has a move"  # that the strategy does not make: a claim of the script


def test_smt2_movers():
    mover = SemiGroundAction("eat1", (("k", Int(2)),))
    claims = {c: a for c, a, _ in verdicts(smt2(chomp_misere(), [mover]))}
    assert claims[LACKING] == "sat"  # (1, 1) needs eat2
    other = SemiGroundAction("eat2", (("k", Int(1)),))
    answers = list(verdicts(smt2(chomp_misere(), iter([mover, other]))))
    assert (LACKING, "unsat", "unsat") in answers


def test_smt2_expressions_mean_the_same():
    import z3

    rng = random.Random(2)
    answer = nim2()
    both = replace(answer.winning, formula=parse_formula("min(a, b) != max(a, b)", NAMES))
    script = smt2(replace(answer, winning=both)).splitlines()
    define = "".join(line for line in script if line.startswith("(define-fun"))
    for text in [*SIGNS, *(random_formula(rng, 3) for _ in range(60)), "max(a, b) > min(a, b)"]:
        formula = parse_formula(text, NAMES)
        a, b = rng.randint(-9, 9), rng.randint(-9, 9)
        holds = satisfies(formula, {"a": a, "b": b})
        claim = f"(assert (= {expression(formula)} {'true' if holds else 'false'}))"
        given = f"(assert (= a {expression(Int(a))}))(assert (= b {expression(Int(b))}))"
        solver = z3.Solver()
        solver.from_string(f"(declare-const a Int)(declare-const b Int){define}{given}{claim}")
        assert solver.check() == z3.sat, str(formula)


# --- clingo ------------------------------------------------------------------------------


def atoms(text, *options):
    clingo = pytest.importorskip("clingo")
    messages = []
    control = clingo.Control(list(options), logger=lambda code, message: messages.append(message))
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        shown = [str(symbol) for symbol in handle.model().symbols(shown=True)]
    assert not messages
    return shown


@pytest.mark.parametrize("build", ALL)
def test_asp_program_is_right_in_its_box(build):
    solution = build()
    of = solution.game
    found = set(atoms(asp(solution), "-c", "n=8"))
    loses = loser_of(of, solution.rule)
    expected = set()
    for state in product(range(-8, 9), repeat=len(of.variables)):
        if of.is_legal(state):
            word = "losing" if loses(state) else "winning"
            expected.add(f"{word}({','.join(map(str, state))})")
    assert {a for a in found if not a.startswith("move")} == expected
    moved = set()
    for atom in found:
        if match := re.fullmatch(r"move\(([-0-9,]+),(\w+)\((-?\d+)\)\)", atom):
            state = tuple(map(int, match.group(1).split(",")))
            action = of.action(match.group(2))
            move = Move(action.name, ((action.parameters[0], int(match.group(3))),))
            assert loses(of.result(state, move))
            moved.add(state)
    movable = {s for s in states_of(expected, "winning") if next(of.moves(s), None)}
    assert moved == movable


def states_of(found, word):
    for atom in found:
        if atom.startswith(word):
            yield tuple(map(int, atom[len(word) + 1 : -1].split(",")))


def test_asp_formulas_mean_the_same():
    rng = random.Random(3)
    of = game("game g var a, b action t(k) pre k = 1 eff a := a - k")
    for _ in range(60):
        text, term = random_formula(rng, 3), random_term(rng, 3)
        answer = replace(
            solved(of, "normal", text, f"not ({text})", ("true", "t", term)), status="unknown"
        )
        answer = replace(answer, strategy=answer.strategy[:1], status="solved")
        found = set(atoms(asp(answer), "-c", "n=3"))
        formula, argument = parse_formula(text, NAMES), parse_term(term, NAMES)
        for a, b in product(range(-3, 4), repeat=2):
            holds = satisfies(formula, {"a": a, "b": b})
            assert (f"winning({a},{b})" in found) is holds, text
            if holds:
                k = value(argument, {"a": a, "b": b})
                assert f"move({a},{b},t({k}))" in found, term


def test_asp_reads_the_strategy_first_match():
    lines = ("a > b", "take_a", "a - b"), ("true", "take_b", "b - a")
    found = atoms(asp(solved(nim2().game, "normal", "a != b", "a = b", *lines)), "-c", "n=4")
    assert len([atom for atom in found if atom.startswith("move")]) == 20
    assert "move(3,1,take_a(2))" in found and "move(1,3,take_b(2))" in found


def test_asp_names_and_limits():
    of = game(
        "game g var a, A, _b, X1 legal a >= 0 and A >= 0 and _b = 0 and X1 mod 2 = 0 "
        "action Take(k) pre 1 <= k <= a eff a := a - k"
    )
    answer = solved(of, "normal", "a > 0", "a <= 0", ("a > 0", "Take", "a"))
    assert "move(1,2,0,-2,act_Take(1))" in atoms(asp(answer), "-c", "n=2")
    # One counter at a time, so that odd numbers win; the action is called as the bound is.
    odd = icg.loads("game g var a legal a >= 0 action n pre a > 0 eff a := a - 1").solve()
    found = atoms(asp(odd), "-c", "n=4")
    assert [atom for atom in sorted(found) if "move" in atom] == ["move(1,n_)", "move(3,n_)"]
    large = solved(of, "normal", "a > 3000000", "a <= 3000000")
    with pytest.raises(Refused, match="3000000"):
        asp(large)


# --- the others ----------------------------------------------------------------------------


def test_fft_text():
    lines = [x for x in fft(chomp_misere()).splitlines() if x and not x.startswith("#")]
    assert lines == ["if b >= 1 and a >= 2: eat1(2)", "if b = 0 and a >= 3: eat1(3)"]
    lines = [x for x in fft(nim2()).splitlines() if x and not x.startswith("#")]
    assert lines == ["take_a(a - b)", "take_b(b - a)"]  # the tree, where there is one
    (line,) = re.findall("^# proved: +(.*)", fft(nim2()), re.MULTILINE)
    assert line.split(", ") == list(PARTS)
    unproved = replace(nim2(), status="conditional", proof={"termination": Verdict.UNKNOWN})
    assert "conditional" in fft(unproved) and "unknown:  termination" in fft(unproved)


@pytest.mark.parametrize("build", ALL)
def test_dot_is_a_graph(build):
    text = dot(build())
    rules = build().tree or build().strategy
    assert text.count("fontcolor") == len(rules)
    for rule in rules:
        assert str(rule.act) in text
    graphviz = shutil.which("dot")
    if graphviz is not None:
        run = subprocess.run(
            [graphviz, "-Tplain"], input=text, capture_output=True, text=True, check=True
        )
        assert run.stdout.startswith("graph") and not run.stderr


def test_dot_escapes():
    of = replace(nim2().game, title='say "hi" \\ there')
    assert 'label="say \\"hi\\" \\\\ there, normal play"' in dot(replace(nim2(), game=of))


def test_latex_formulas():
    def shown(text):
        return mathematics(parse_formula(text, ["a", "b", "pile_1", "x12"]))

    assert shown("a != b") == r"a \ne b"
    assert shown("(a + b) mod 3 != 0") == r"a + b \not\equiv 0 \pmod{3}"
    assert shown("a mod 3 = 5") == r"a \bmod 3 = 5"  # no remainder: not a congruence
    assert shown("-a mod 3 < 2") == r"(-a) \bmod 3 < 2"
    assert shown("a - 2 * b < 2") == r"a - 2 b < 2"
    assert shown("a + -2 * b mod 3 < 2") == r"a + -2 b \bmod 3 < 2"  # a - 2 b mod 3 is less
    assert shown("a = 1 and b = 2 or x12 > -1") == r"(a = 1 \land b = 2) \lor x_{12} > -1"
    assert shown("not a = b") == r"\lnot (a = b)"
    assert shown("pile_1 div 2 in {1, -2}") == r"\lfloor \mathit{pile\_1} / 2 \rfloor \in \{1, -2\}"


@pytest.mark.parametrize("build", ALL)
def test_latex_is_balanced(build):
    text = latex(build())
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert r"\begin{theorem}" in text
    claim = latex(replace(build(), status="conditional"))
    assert r"\begin{claim}" in claim and "theorem" not in claim.partition("\n")[2]


def test_latex_escapes_and_does_without_formulas():
    of = replace(nim2().game, title="50% & #1_$ {x} ~^\\")
    text = latex(replace(nim2(), game=of))
    assert r"50\% \& \#1\_\$ \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}" in text
    bare = latex(Solution(nim2().game, "normal", "unknown"))
    assert "formula is known" in bare


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX")
def test_latex_compiles(tmp_path):
    body = "\n".join(latex(build()) for build in ALL)
    head = "\\documentclass{article}\\usepackage{amsmath,amsthm,longtable}"
    head += "\\newtheorem{theorem}{Theorem}\\begin{document}"
    (tmp_path / "x.tex").write_text(f"{head}{body}\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]


# --- all formats, and the schema ---------------------------------------------------------------


@pytest.mark.parametrize("fmt", ["fft", "python", "smt2", "asp", "dot"])
def test_nothing_to_export(fmt):
    with pytest.raises(Refused, match="nothing to export"):
        export(Solution(nim2().game, "normal", "unknown"), fmt)


def test_exports_load_no_solver():
    code = (
        "import sys, icgsynth.play, icgsynth.export.table\n"
        "import icgsynth.export.strategy_formats\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('z3', 'matplotlib') "
        "or m.startswith(tuple('icgsynth.' + x for x in "
        "('solve', 'synth', 'smt', 'verify', 'automatic')))]\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def richest():
    return replace(
        nim2(),
        excluded=Exclusion(3, 8),
        losing_states=((0, 0), (1, 1)),
        notes=("a note",),
        explicit=BoxCheck(40, 1681, 0),
    )


def test_outputs_validate():
    for build in (*ALL, richest):
        validate(json.loads(export(build(), "json")))
    validate([nim2().to_json(), nim2_misere().to_json()])
    validate(Solution(nim2().game, "misere", "unknown").to_json())


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("rule", "both"),
        ("schema", "icgsynth/solution/3"),
        ("status", "proved"),
        ("winning", "a != b"),
        ("winning", {"formula": "a != b", "size": 2, "minimal": "yes", "constants_up_to": 0}),
        ("strategy", [{"when": "true", "action": "take_a"}]),
        ("proof", {"winning": "maybe"}),
        ("proof", {"luck": "proved"}),
        ("constants", {"n": "3"}),
        ("explicit", {"bound": 40}),
        ("surprise", 1),
    ],
)
def test_schema_refuses(key, wrong):
    with pytest.raises(jsonschema.ValidationError):
        validate(richest().to_json() | {key: wrong})


@pytest.mark.parametrize("key", ["rule", "winning", "rules", "strategy"])
def test_schema_requires(key):
    data = nim2().to_json()
    del data[key]
    with pytest.raises(jsonschema.ValidationError):
        validate(data)
