"""``icgsynth fft``: fast-and-frugal trees of finite games."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    json_option,
    output_option,
    quiet_option,
    seed_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.datalog import Rulebook
    from icgsynth.fft.certificate import Certificate
    from icgsynth.fft.judge import Judgement
    from icgsynth.fft.tree import Tree
    from icgsynth.fft.workshop import Workshop
    from icgsynth.solve.arena import Arena

__all__ = ["fft"]

F = TypeVar("F", bound=Callable[..., Any])
_RAW_CHECK = 250_000  # raw states up to which the second checker runs unasked


def _game_options(command: F) -> F:
    for option in (
        click.option(
            "--symmetry",
            type=click.Choice(["on", "off"]),
            default="on",
            show_default=True,
            help="Whether a rule stands for all its images.",
        ),
        click.option(
            "--literals",
            "sign",
            type=click.Choice(["signed", "positive"]),
            default="signed",
            show_default=True,
            help="Whether rules may hold negated facts.",
        ),
        click.option(
            "--all-facts", is_flag=True, help="Offer facts that others determine (blank) too."
        ),
        click.option(
            "--player",
            default="auto",
            show_default=True,
            metavar="1|2|ROLE|auto",
            help="Whose strategy; auto is the winner, or player 1 where there is none.",
        ),
    ):
        command = option(command)
    return command


budget_option = click.option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to look for a better tree and for a proof that none is smaller.",
)
raw_option = click.option(
    "--raw/--no-raw",
    default=None,
    help="Check on raw states with a second, separate checker too (slow for large games; "
    f"by default up to {_RAW_CHECK:,} states).",
)


@click.group()
def fft() -> None:
    """Fast-and-frugal trees: optimal strategies of finite games as short lists of rules.

    GAME is a GDL file (.kif), or the name of one in specs/gdl.  TREE is a text file with one
    rule a line, as in 'if x(1,1) and not o(2,2): mark(3,3)', or JSON of fft synth.

    \b
    Exit codes: 0 done, optimal; 2 bad usage or bad input; 3 refuted: a counterexample is
                printed; 4 unknown: nothing was found within the budget.
    """


@fft.command()
@click.argument("game")
@_game_options
@click.option(
    "--method",
    type=click.Choice(["search", "algorithm1", "algorithm2"]),
    default="search",
    show_default=True,
    help="Local search and a proof, or one run of an algorithm of the paper.",
)
@click.option(
    "--states",
    type=click.Choice(["random", "near_end", "far_end", "near_start"]),
    default="near_end",
    show_default=True,
    help="Algorithm 2: which state comes next.",
)
@click.option(
    "--complete", metavar="TREE", type=click.Path(), help="Start from a partial strategy."
)
@click.option("--certify/--no-certify", default=True, help="Try to prove the tree minimal.")
@budget_option
@raw_option
@json_option
@output_option("Write the tree there: JSON where the name ends in .json, else text.")
@quiet_option
@seed_option
def synth(
    game: str,
    player: str,
    sign: str,
    all_facts: bool,
    symmetry: str,
    method: str,
    states: str,
    complete: str | None,
    certify: bool,
    budget: float,
    raw: bool | None,
    as_json: bool,
    output: str | None,
    quiet: bool,
    seed: int,
) -> int:
    """Synthesise a short strongly optimal tree; the best so far when the budget ends.

    \b
    Exit codes: 0 a strongly optimal tree; 2 bad usage or bad input;
                4 none found within the budget.
    """
    from icgsynth.fft.search import search
    from icgsynth.fft.synthesis import Choices, greedy

    begun = time.monotonic()
    table = _Table(game, player, sign, all_facts, symmetry, quiet, complete)
    shop = table.workshop
    certificate = None
    if method == "search":
        found = search(shop, budget, seed, table.tree, certify, table.tell)
        tree, certificate = found.tree, found.certificate
    else:
        number = 1 if method == "algorithm1" else 2
        start = {"start": table.tree} if table.tree else {}
        tree = greedy(shop, seed, Choices(states), number, **start)  # type: ignore[arg-type]
    if tree is None:
        click.echo(f"icgsynth: no tree in this language within {budget:g} s", err=True)
        return UNKNOWN
    return table.deliver(tree, certificate, raw, as_json, output, begun)


@fft.command()
@click.argument("game")
@click.argument("tree")
@_game_options
@click.option("--weak", is_flag=True, help="Exit 0 also where only weakly optimal.")
@raw_option
@json_option
@quiet_option
@unused_seed_option
def verify(
    game: str,
    tree: str,
    player: str,
    sign: str,
    all_facts: bool,
    symmetry: str,
    weak: bool,
    raw: bool | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check a tree in all states that play with it reaches (Definition 4).

    \b
    Exit codes: 0 strongly optimal (with --weak: weakly); 2 bad usage or bad input;
                3 not so: the state and the line of play to it are printed.
    """
    table = _Table(game, player, sign, all_facts, symmetry, quiet, tree)
    return table.verdict(weak, raw, as_json)


@fft.command()
@click.argument("game")
@click.argument("tree")
@_game_options
@budget_option
@raw_option
@json_option
@output_option("Write the tree there: JSON where the name ends in .json, else text.")
@quiet_option
@seed_option
def minimise(
    game: str,
    tree: str,
    player: str,
    sign: str,
    all_facts: bool,
    symmetry: str,
    budget: float,
    raw: bool | None,
    as_json: bool,
    output: str | None,
    quiet: bool,
    seed: int,
) -> int:
    """Make an optimal tree smaller: first by deletion, then by local search for the budget.

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 3 the tree is not optimal.
    """
    from icgsynth.fft.synthesis import improve
    from icgsynth.fft.synthesis import minimise as by_deletion

    begun = time.monotonic()
    table = _Table(game, player, sign, all_facts, symmetry, quiet, tree)
    given = table.given
    if not table.workshop.is_optimal(given):
        return table.verdict(False, False, as_json)
    best = by_deletion(table.workshop, given, seed)
    table.tell(f"by deletion: {best.figure[0]} rules, {best.figure[1]} literals")
    for found in improve(table.workshop, budget, seed, best):
        best = found.tree
        table.tell(f"{found.how}: {best.figure[0]} rules, {best.figure[1]} literals")
    return table.deliver(best, None, raw, as_json, output, begun)


@fft.command()
@click.argument("game")
@click.argument("tree")
@_game_options
@json_option
@quiet_option
@unused_seed_option
def show(
    game: str,
    tree: str,
    player: str,
    sign: str,
    all_facts: bool,
    symmetry: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Print a tree with the game's names, numbered, and its figures.

    \b
    Exit codes: 0 done; 2 bad usage or bad input.
    """
    table = _Table(game, player, sign, all_facts, symmetry, quiet, tree)
    given = table.given
    strong = table.workshop.is_optimal(given)
    table.say(given, strong, None, None, as_json, "")
    return DONE


class _Table:
    """What the commands share: the game solved, the player chosen, the tree read."""

    def __init__(
        self,
        game: str,
        player: str,
        sign: str,
        every: bool,
        symmetry: str,
        quiet: bool,
        tree: str | None,
    ) -> None:
        from icgsynth.compiled import announce
        from icgsynth.fft.kernels import walk
        from icgsynth.fft.parse import parse_tree
        from icgsynth.fft.workshop import Workshop
        from icgsynth.solve.arena import arena_of_rules
        from icgsynth.spec.source import Source

        self._quiet = quiet
        self._book = _rulebook(game)
        self._symmetric = symmetry == "on"
        self._name = game
        self.arena: Arena = arena_of_rules(self._book, self._symmetric, progress=self.tell)
        self.tree: Tree | None = None
        if tree is not None:
            source = Source.read(Path(tree), tree)
            self.tree = parse_tree(source, self.arena.literals, self.arena.actions)
        chosen = _player(self.arena, player)
        announce([walk], self.tell)
        self.workshop: Workshop = Workshop(self.arena, chosen, sign, every, self.tree)  # type: ignore[arg-type]

    @property
    def given(self) -> Tree:
        """The tree that the command line names."""
        assert self.tree is not None
        return self.tree

    def tell(self, message: str) -> None:
        """Progress on stderr."""
        if not self._quiet:
            click.echo(f"icgsynth: {message}", err=True)

    def _raw(self, wanted: bool | None) -> Arena | None:
        """The game without symmetry, where it is wanted or small."""
        from icgsynth.solve.arena import arena_of_rules

        if wanted is False or (wanted is None and int(self.arena.orbit.sum()) > _RAW_CHECK):
            return None
        if not self._symmetric or len(self.arena.literal_images) == 1:
            return self.arena if len(self.arena.literal_images) == 1 else None
        return arena_of_rules(self._book, False, progress=self.tell)

    def _judged(self, tree: Tree, strong: bool, raw: Arena | None) -> Judgement | None:
        from icgsynth.fft.judge import judge

        if raw is None:
            return None
        return judge(raw, self.workshop.player, tree, strong, self.arena)

    def verdict(self, weak: bool, wanted: bool | None, as_json: bool) -> int:
        """Say whether the tree is optimal, and if not where."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.fft.report import Context, figures, flaw_text, flaw_value

        tree, shop = self.given, self.workshop
        strong, weakly = shop.is_optimal(tree), shop.is_optimal(tree, False)
        raw = self._raw(wanted)
        judged = self._judged(tree, True, raw)
        if judged is not None and judged.optimal != strong:
            raise AssertionError("the two checkers disagree on strong optimality")
        enough = weakly if weak else strong
        place, real = None, None
        if not enough:
            real = self._on_raw_states(raw)
            place = (real or shop).flaw(tree, strong=not weak)
        where = real or shop
        word = "strongly optimal" if strong else "weakly optimal" if weakly else "not optimal"
        value: dict[str, Any] = Context.of(shop).value() | {
            "rules": tree.figure[0],
            "literals": tree.figure[1],
            "strongly_optimal": strong,
            "weakly_optimal": weakly,
            "raw_check": None if judged is None else judged.optimal,
            "counterexample": None if place is None else flaw_value(place, where),
        }
        lines = [f"{self.arena.name}: {word}, {figures(tree)}", *Context.of(shop).lines()]
        if judged is not None:
            lines.append(f"  checked   twice; on {judged.reached:,} raw states that play reaches")
        if place is not None:
            lines += flaw_text(place, tree, where, real is not None)
        click.echo(json_text(value) if as_json else "\n".join(lines))
        return DONE if enough else REFUTED

    def _on_raw_states(self, raw: Arena | None) -> Workshop | None:
        """The same game on raw states with the same images, for a line of play to replay."""
        from dataclasses import replace

        from icgsynth.fft.workshop import Workshop

        same = raw is not None and (raw.literals, raw.actions) == (
            self.arena.literals,
            self.arena.actions,
        )
        if raw is None or not same:
            return None
        shop = self.workshop
        closed = replace(
            raw,
            literal_images=self.arena.literal_images,
            action_images=self.arena.action_images,
        )
        return Workshop(closed, shop.player, shop.language.sign, True, self.tree)

    def deliver(
        self,
        tree: Tree,
        certificate: Certificate | None,
        wanted: bool | None,
        as_json: bool,
        output: str | None,
        begun: float,
    ) -> int:
        """Check once more, print, and write the file."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.cli.output import write_file

        strong = self.workshop.is_optimal(tree)
        judged = self._judged(tree, True, self._raw(wanted))
        if not strong or (judged is not None and not judged.optimal):
            raise AssertionError("a tree that is not strongly optimal was about to be delivered")
        text = json_text(tree.to_json()) if (output or "").endswith(".json") else str(tree)
        if output:
            write_file(output, text + "\n")
        self.say(tree, strong, certificate, judged, as_json, f"{time.monotonic() - begun:.1f} s")
        return DONE

    def say(
        self,
        tree: Tree,
        strong: bool,
        certificate: Certificate | None,
        judged: Judgement | None,
        as_json: bool,
        spent: str,
    ) -> None:
        """Print a tree and its figures."""
        from icgsynth.cli.output import as_json as json_text
        from icgsynth.fft.report import Context, figures, numbered, tree_value

        context = Context.of(self.workshop)
        if as_json:
            value = context.value() | tree_value(tree, strong, certificate, judged)
            click.echo(json_text(value))
            return
        word = "strongly optimal" if strong else "not strongly optimal"
        proof = "".join(
            f"\n  proof     {q}" for q in (certificate.questions if certificate else ())
        )
        minimal = certificate is not None and certificate.is_minimal
        head = f"{self.arena.name}: {figures(tree)}, {word}{', minimal (proved)' * minimal}"
        lines = [head + (f"; {spent}" if spent else ""), *context.lines()]
        if judged is not None:
            lines.append(f"  checked   twice; on {judged.reached:,} raw states that play reaches")
        click.echo("\n".join(lines) + proof + "\n\n" + numbered(tree))


def _rulebook(game: str) -> Rulebook:
    """The rules that GAME means: a file, or a name in specs/gdl."""
    from icgsynth.errors import InputError
    from icgsynth.spec.catalog import catalog_dir
    from icgsynth.spec.gdl import parse_gdl
    from icgsynth.spec.source import Source

    path = Path(game)
    folder = catalog_dir() / "gdl"
    if not path.exists() and path.name == game:
        path = folder / (game if game.endswith(".kif") else f"{game}.kif")
        if not path.exists():
            known = ", ".join(sorted(p.stem for p in folder.glob("*.kif")))
            raise InputError(
                f"there is no file and no finite game {game[:80]!r}", mend=f"known: {known}"
            )
    return parse_gdl(Source.read(path))


def _player(arena: Arena, player: str) -> int:
    from icgsynth.errors import InputError

    if player == "auto":
        return 1 if int(arena.value[0]) < 0 else 0
    names = {"1": 0, "2": 1, arena.roles[0].lower(): 0, arena.roles[1].lower(): 1}
    if player.lower() not in names:
        roles = " or ".join(arena.roles)
        raise InputError(f"there is no player {player[:40]!r}", mend=f"--player 1, 2, {roles}")
    return names[player.lower()]
