"""Print results to the terminal, or write them to files that are never left half written.

At a terminal lines are broken to its width, and verdicts have a colour; a pipe or a file gets text
unchanged.  Exit codes are explained in the docs, *Command line*.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from icgsynth.budget import CLOCK, Notice
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.process.watchdog import GRACE, Watchdog, slow_start

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

DONE = 0  # exit code: answered, or proved
CRASH = 1  # exit code: a fault of this program
BAD_INPUT = 2  # exit code, as click's: a wrong argument or file, or a request refused
REFUTED = 3  # exit code: a claim is false
UNKNOWN = 4  # exit code: neither proved nor refuted

OURS = "this is a bug of ours; set ICGSYNTH_DEBUG=1 for the details, and please report it"
BEGUN = "icgsynth.begun"  # key in click's ``meta``: when the command began, monotonic seconds
_ELSEWHERE = "choose another place"

# For each command that prints JSON: the kind of its value, and its status on success.
KINDS = {
    "check": ("check", "solved"),
    "family": ("family", "solved"),
    "fft minimise": ("tree", "solved"),
    "fft show": ("tree", "done"),
    "fft synth": ("tree", "solved"),
    "fft verify": ("verdict", "solved"),
    "learn": ("learned", "done"),
    "list": ("entry", "done"),
    "solve": ("strategy", "solved"),
    "starts": ("starts", "done"),
    "sweep": ("summary", "done"),
    "table": ("table", "done"),
    "tournament": ("standings", "done"),
    "value": ("value", "solved"),
    "verify": ("verdict", "solved"),
}

SPEAKING = threading.RLock()  # held while something is printed, so that it is printed whole
HEARD = threading.Event()  # set once something went to stdout

_LEAST = 40  # columns; in fewer a broken line is no easier to read than a cut one
_LABEL = re.compile(r" *[A-Z][a-z]+: +(?=\S)")
_STYLES = {
    r"^(icgsynth|Error): ": "bold red",
    r"^warning: .*": "yellow",
    r"(?<!not )(?<![\w-])(proved|solved and proved|strongly optimal|never loses)\b": "green",
    r"\b(refuted|not strongly optimal|not optimal|internal error)\b": "bold red",
    r"\b(unknown|not proved|unproved|answered on a condition)\b": "yellow",
    r"^ +(loses|wins) +iff\b": "bold",
    r"^(Proved|Checked|Theorem|Nothing is claimed|To win from[^:]*|The same by cases)\b": "bold",
}


def say(text: str, is_data: bool = False, err: bool = False, nl: bool = True) -> None:
    """Print ``text`` to stdout, or with ``err`` to stderr, followed by a newline with ``nl``.

    ``is_data``: the text, such as JSON, is for a program and is not broken or coloured.  The
    environment variable NO_COLOR switches colours off.
    """
    stream = sys.stderr if err else sys.stdout
    with SPEAKING:
        if not err:
            HEARD.set()
        if is_data or not stream.isatty():
            click.echo(text, err=err, nl=nl)
            return
        from rich.console import Console
        from rich.text import Text

        console = Console(file=stream, highlight=False, no_color=None)
        shown = Text(fit(text, console.width))
        if not os.environ.get("NO_COLOR"):
            for pattern, style in _STYLES.items():
                shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
        console.print(shown, soft_wrap=True, end="\n" if nl else "")


def fit(text: str, width: int) -> str:
    """Return ``text`` with lines longer than ``width`` columns broken between words.

    A paragraph behind a word and a colon, as ``Proved: ..``, is broken anew as a whole.  The rest
    of a broken line begins below the text behind that word, or behind the line's last gap of two
    blanks, such as the second column of a list, or is indented by four.
    """
    if width < _LEAST or max(map(len, text.split("\n"))) <= width:
        return text
    lines = list[str]()
    for line in text.split("\n"):
        label = _LABEL.match(lines[-1]) if lines else None
        if label and line[: label.end()].isspace() and line[label.end() :][:1].strip():
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return "\n".join(_break_line(line, width) for line in lines)


def _break_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    label = _LABEL.match(line)
    gaps = [gap.end() for gap in re.finditer(r"(?<=\S) {2,}(?=\S)", line[: width * 2 // 3])]
    indent = len(line) - len(line.lstrip())
    hang = label.end() if label else gaps[-1] if gaps else min(indent + 4, width // 2)
    return "\n".join(
        wrap(
            line,
            width,
            subsequent_indent=" " * hang,
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
    )


def as_json(value: Any) -> str:
    """Return ``value`` as indented JSON text, with each list of integers on one line."""
    from icgsynth.export.json import indented

    return indented(value)


def envelope(value: Any, code: int = DONE) -> Any:
    """Return the JSON ``value`` of a command with the keys that every command's JSON has.

    These are ``schema``, ``kind``, ``game``, ``status`` and ``seconds``; keys that ``value`` has
    already stay.  In a list each value gets the keys.  The exit ``code`` tells the status.
    """
    from icgsynth.game.answers import SCHEMA  # late: help is instant

    if isinstance(value, list):
        return [envelope(each, code) for each in value]
    context = click.get_current_context()
    kind, well = KINDS[context.command_path.partition(" ")[2]]
    head = {
        "schema": SCHEMA,
        "kind": kind if context.params.get("at") is None else "position",
        "game": context.params.get("spec", context.params.get("game")),
        "status": {DONE: well, REFUTED: "refuted"}.get(code, "unknown"),
    }
    told = {key: said for key, said in head.items() if key not in value} | value
    total = round(time.monotonic() - context.meta[BEGUN], 3)
    return told | {"seconds": told.get("seconds", {"total": total})}


def require_ending(path: str, *endings: str, is_answer: bool = False) -> None:
    """Raise :class:`~icgsynth.errors.InputError` if ``path`` ends in none of ``endings``.

    If the file is an answer (``is_answer``), the error says how to export it.
    """
    if (ending := Path(path).suffix.lower()) not in endings:
        from icgsynth.export import ENDINGS

        mend = f"end its name in {', '.join(filter(None, endings))}"
        if is_answer and ending in ENDINGS.values():
            answer = Path(path).with_suffix(".json")
            mend = f"write -o {answer}, and then: icgsynth export {answer} -o {path}"
        raise InputError(f"{path}: its ending is none that is written here", mend=mend)


def output_path(path: str) -> Path:
    """Return the file that ``-o path`` means, links followed: a regular file or a free name.

    Raises :class:`~icgsynth.errors.InputError` for anything else: a folder, a device, a pipe, a
    link that leads out of its own folder.
    """
    given = Path(path)
    try:
        target = given.resolve()
        if given.is_symlink() and not target.is_relative_to(given.parent.resolve()):
            raise InputError(f"{path}: a link to {target}, in another folder", mend=_ELSEWHERE)
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise _unwritable(path, error) from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{path}: a folder, and not a file", mend=_ELSEWHERE)
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: a device or a pipe, and not a regular file", mend=_ELSEWHERE)
    return target


def _unwritable(path: str, error: Exception) -> InputError:
    reason = (getattr(error, "strerror", None) or "cannot be written").lower()
    return InputError(f"{path}: {reason}", mend=_ELSEWHERE)


def write_file(path: str, content: str | bytes) -> None:
    """Write ``content`` whole to the file ``path``, or raise InputError and leave it as it was."""
    from icgsynth.process.aside import write_aside

    target = output_path(path)
    try:
        write_aside(target, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise _unwritable(path, error) from None


def could_not_write(error: OSError) -> int:
    """Report on stderr that the output could not be written, and return the exit code.

    Both streams then go to the null device, so that flushing them cannot fail again.
    """
    reason = (error.strerror or "it cannot be written").lower()
    with suppress(OSError):
        sys.stderr.write(f"icgsynth: the output is not complete: {reason}\n")
        sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            os.dup2(nowhere, stream.fileno())
    return BAD_INPUT


class Progress:
    """A line of progress on stderr: a spinner, seconds, what is tried; none if piped or quiet.

    A notice is printed on a line of its own, also when piped.
    """

    def __init__(self, quiet: bool, budget: float = inf) -> None:
        self._bar: Bar | None = None
        self._quiet = quiet
        if quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import Progress as RichProgress
        from rich.progress import SpinnerColumn, TextColumn

        passed = "{task.elapsed:.0f} s" + (f" of {budget:g}" if budget < inf else "")
        columns = (SpinnerColumn(), TextColumn(passed), TextColumn("{task.description}"))
        self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("reading the rules", total=None)
        self._bar.start()

    def __call__(self, message: str) -> None:
        if isinstance(message, Notice):
            if not self._quiet:
                click.echo(f"icgsynth: {message}", err=True)
        elif self._bar is not None:
            from rich.markup import escape

            self._bar.update(self._task, description=escape(message[:100]))

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the line of progress."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def say_spent(spent: Exception) -> int:
    """Print the error ``spent`` to stderr, and as JSON if asked for; return the exit code 4."""
    context = click.get_current_context(silent=True)
    if context is not None and context.params.get("as_json") and not HEARD.is_set():
        HEARD.set()
        sys.stdout.write(as_json(envelope({"why": str(spent)}, UNKNOWN)) + "\n")
        sys.stdout.flush()
    more = "\n  --timeout gives more time" if str(spent).endswith(" s is spent") else ""
    sys.stderr.write(f"icgsynth: {spent}{more}\n")
    sys.stderr.flush()
    return UNKNOWN


def watchdog(budget: float, last_words: Callable[[], int] | None = None) -> Watchdog:
    """Return a context manager that ends the program when work overruns ``budget`` seconds.

    ``last_words`` prints what is known and returns the exit code; without ``last_words`` a
    BudgetSpent is printed.  Where a person gave the budget, compiling kernels counts.
    """
    context = click.get_current_context()
    CLOCK.counts_all = context.get_parameter_source("timeout") is ParameterSource.COMMANDLINE
    context.call_on_close(partial(setattr, CLOCK, "counts_all", False))

    def end() -> int:
        with context.scope(cleanup=False):  # a thread has no current command otherwise
            try:
                if last_words is None:
                    raise BudgetSpent(f"the budget of {budget:g} s is spent")
                code = last_words()
                sys.stdout.flush()
            except BudgetSpent as spent:
                SPEAKING.acquire()  # for good: ``end_at_once`` may not say it a second time
                return say_spent(spent)
            except InputError as error:
                sys.stderr.write(f"icgsynth: {error}\n")
                sys.stderr.flush()
                return BAD_INPUT
            except OSError as error:
                return UNKNOWN if isinstance(error, BrokenPipeError) else could_not_write(error)
            except Exception:  # the program ends in any case
                return UNKNOWN
            return code

    def end_at_once() -> int:
        SPEAKING.acquire()  # for good: nobody else says anything from now on
        with context.scope(cleanup=False):
            return say_spent(BudgetSpent(f"the budget of {budget:g} s is spent"))

    return Watchdog(max(0.0, budget + GRACE - slow_start()), end, end_at_once)
