"""What people install: the sdist is complete, and the wheel of it does all that the README shows.

The wheel is installed into an environment of its own, which sees the packages of this one, but only
those that the wheel and the README's extra ask for; and it is tried in an empty folder.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata

import pytest
from test_docs import ROOT, blocks, matches, steps

from icgsynth.cli import group

pytestmark = pytest.mark.slow

README = (ROOT / "README.md").read_text(encoding="utf-8")
_BUILD = "import sys; from setuptools import build_meta as b; print(b.build_{}(sys.argv[1]))"
_BLOCK = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""


def run(command, folder, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV"))}
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=clean | {"NO_COLOR": "1", "COLUMNS": "80"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def built(what, source, target):
    done = run([sys.executable, "-c", _BUILD.format(what), target], source)
    assert done.returncode == 0, done.stdout
    return target / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The archive of the sources, made from a copy of the files that git knows."""
    pytest.importorskip("setuptools", "77", reason="setuptools 77 or later builds the wheel")
    source = tmp_path_factory.mktemp("source")
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], ROOT)
    if listed.returncode:
        pytest.skip("no clone of git: which files belong to the sources is not known")
    for name in filter(None, listed.stdout.splitlines()):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    return built("sdist", source, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    """The wheel that the sdist alone gives."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return built("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def program(wheel, tmp_path_factory):
    """The command ``icgsynth`` of an environment that has the wheel with the README's extra."""
    place = tmp_path_factory.mktemp("environment")
    assert run([sys.executable, "-m", "venv", "--without-pip", place], place).returncode == 0
    pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python"]
    done = run([*pip, "install", "-q", "--no-deps", "--no-index", wheel], place)
    assert done.returncode == 0, done.stdout
    (packages,) = (place / "lib").glob("python*/site-packages")
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "ours.pth").write_text(f"{ours}\nimport only_what_was_asked_for\n")
    (packages / "only_what_was_asked_for.py").write_text(_BLOCK.format(names=unasked(wheel)))
    return place / "bin" / "icgsynth"


def unasked(wheel):
    """The modules of this environment that are of extras which the README does not ask for."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    asked = re.search(r"pip install -q '\.\[([\w,]+)\]' &&", README)[1].split(",")
    wanted, others = set(), set()
    for line in filter(re.compile("Requires-Dist: ").match, lines):
        package = re.match(r"Requires-Dist: ([\w.-]+)", line)[1].lower().replace("_", "-")
        extra = re.search(r"extra == .(\w+)", line)
        (wanted if extra is None or extra[1] in asked else others).add(package)
    return {
        module
        for module, packages in metadata.packages_distributions().items()
        for package in packages
        if package.lower().replace("_", "-") in others - wanted and module != "icgsynth"
    }


def test_the_sdist_has_what_tests_and_docs_need(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "README.md",
        "LICENSE",
        "specs/nim2.icg",
        "specs/gdl/tictactoe.kif",
    } <= names
    assert {"docs/index.md", "tests/whole/test_docs.py"} <= names


def test_the_wheel_has_the_catalog(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"icgsynth/specs/nim2.icg", "icgsynth/specs/references.bib"} <= set(names)
    assert not any(name.startswith(("tests/", "docs/", "experiments/")) for name in names)


def test_packages_of_other_extras_are_out_of_reach(program, tmp_path):
    script = "import numpy, clingo, icgsynth; print(icgsynth.__file__)"
    python = program.with_name("python")
    done = run([python, "-c", script], tmp_path)
    assert str(program.parents[1]) in done.stdout
    assert (
        "No module named 'matplotlib'" in run([python, "-c", "import matplotlib"], tmp_path).stdout
    )


def test_all_that_the_readme_shows_works_in_an_empty_folder(program, tmp_path):
    for block in blocks(README):
        if block.file:
            lines = block.body
            (tmp_path / block.file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        if block.language != "console":
            continue
        for step in steps(block):
            name, *arguments = shlex.split(step.command)
            assert name == "icgsynth"
            done = run([program, *arguments], tmp_path)
            assert done.returncode == step.code, f"{step.command}\n{done.stdout}"
            assert matches(step.expected, done.stdout), f"{step.command}\n{done.stdout}"


def inline():
    """The commands in the README's sentences, but those of a wing that is not there."""
    found = re.findall(r"`icgsynth\s([^`]+)`", README)
    commands = {" ".join(command.split()) for command in found}
    assert {"fft synth tictactoe", "learn", "starts"} <= commands
    return sorted(c for c in commands if shlex.split(c)[0] in group.commands)


def served(program, arguments, folder):
    """The first line that the studio prints; it is ended then."""
    command = [str(program), *arguments, "--no-open"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        process.terminate()
    return line


@pytest.mark.parametrize("command", inline())
def test_each_command_in_a_sentence_of_the_readme_works(program, tmp_path, command):
    arguments = shlex.split(command)
    if len(arguments) == 1:
        arguments.append("--help")
    if arguments[:2] == ["fft", "synth"]:
        arguments += ["--budget", "5", "--no-certify"]
    if arguments[0] == "studio" and "--help" not in arguments:
        assert served(program, arguments, tmp_path).startswith("http://127.0.0.1:")
        return
    done = run([program, *arguments], tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("line", ["learn nim", "check nim2", "table nim2 -o t.png"])
def test_other_commands_work_or_name_the_extra(program, tmp_path, line):
    done = run([program, *shlex.split(line)], tmp_path)
    if line.endswith(".png"):
        assert done.returncode == 2
        assert "[plot]'" in done.stdout
    else:
        assert done.returncode == 0, done.stdout
