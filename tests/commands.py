"""Run a command in this process or in one of its own, and check the answers that it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import click
import jsonschema
import pytest

from icgsynth.cli import group, run
from icgsynth.cli import output as codes
from icgsynth.export import SCHEMA_PATH

HANGS = 120  # seconds after which a process is said to hang, on the busiest machine


ENVELOPE = ("schema", "kind", "game", "status", "seconds")  # of every JSON value


def bare(value: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON value without the keys that all values have."""
    return {key: said for key, said in value.items() if key not in ENVELOPE}


class Ended(NamedTuple):
    """The exit code of a command, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    """Run ``icgsynth`` with these arguments in this process; fail if it crashes."""
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert code != codes.CRASH, err
    return Ended(code, out, err)


def refused(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return what a command says on stderr; it must end with code 2 and print nothing else."""
    code, out, err = call(capfd, *arguments)
    assert (code, out) == (codes.BAD_INPUT, ""), err
    return err


def process(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run ``icgsynth`` in a process of its own, with ``more`` of :func:`subprocess.run`.

    It reads nothing, unless ``stdin`` or ``input`` says otherwise.
    """
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
    if "input" not in streams:
        streams.setdefault("stdin", subprocess.DEVNULL)
    streams["env"] = os.environ | more.get("env", {})
    command = [sys.executable, "-m", "icgsynth", *map(str, arguments)]
    done = subprocess.run(command, timeout=HANGS, check=False, **streams)
    assert "Traceback" not in str(done.stderr)
    return done


@cache
def _schema() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA_PATH.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def validate(answer: object) -> None:
    """Fail where ``answer`` does not fit the schema of answer files."""
    _schema().validate(answer)


def all_commands(
    inside: click.Group = group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with the words that call it, also those of groups."""
    for name, command in inside.commands.items():
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from all_commands(command, (*path, name))
