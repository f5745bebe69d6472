"""The help as man pages: one for each command, made from the same texts."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

_VERBATIM = "\b"  # begins a paragraph that click leaves as it stands


def man_pages(group: click.Group, version: str) -> dict[str, str]:
    """The pages by file name, as ``icgsynth-solve.1``, in troff's macros for manuals."""
    context = click.Context(group, info_name="icgsynth", **group.context_settings)
    return dict(_pages(group, context, version))


def _pages(
    command: click.Command, context: click.Context, version: str
) -> Iterator[tuple[str, str]]:
    name = context.command_path.replace(" ", "-")
    yield f"{name}.1", "\n".join(_page(command, context, name, version)) + "\n"
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            inner = command.commands[word]
            yield from _pages(inner, click.Context(inner, context, word), version)


def _page(command: click.Command, context: click.Context, name: str, version: str) -> Iterator[str]:
    yield f'.TH {_quoted(name.upper())} 1 "" {_quoted(f"icgsynth {version}")} "User commands"'
    yield ".SH NAME"
    yield _text(f"{name} - {command.get_short_help_str(limit=1_000).rstrip('.')}")
    yield ".SH SYNOPSIS"
    yield f".B {_text(context.command_path)}"
    yield _text(" ".join(command.collect_usage_pieces(context)))
    yield ".SH DESCRIPTION"
    yield from _described(command.help or "")
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option):
            yield from (".TP", f".B {_text(record[0])}", _text(record[1]))
    if isinstance(command, click.Group):
        inner = [command.commands[word] for word in command.list_commands(context)]
        yield ".SH COMMANDS"
        for one in inner:
            yield from (".TP", f".BR {_text(f'{name}-{one.name}')} (1)")
            yield _text(one.get_short_help_str(limit=1_000))
    elif context.parent is not None:
        yield ".SH SEE ALSO"
        yield f".BR {_text(context.parent.command_path.replace(' ', '-'))} (1)"


def _described(text: str) -> Iterator[str]:
    for paragraph in cleandoc(text).split("\n\n"):
        if not paragraph.startswith(_VERBATIM):
            yield from (".PP", _text(" ".join(paragraph.split())))
            continue
        lines = paragraph.removeprefix(_VERBATIM).strip("\n").splitlines()
        yield from (".PP", ".nf", *map(_text, lines), ".fi")


def _text(line: str) -> str:
    """``line`` as troff prints it: no macro, no escape, and a hyphen that can be copied."""
    plain = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


def _quoted(text: str) -> str:
    return f'"{_text(text)}"'
