"""What each command loads from elsewhere: nobody waits for a library that is not needed.

Sets, and not seconds, for those depend on the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest

from icgsynth.digits.arrays import distinct

# Parts of numpy, of Python and of ours that take long to load, and that something light once
# brought in: files for Coq are read and written by what asks for them.
SLOW_PARTS = {
    *("icgsynth.coq.coqc", "icgsynth.coq.gallina"),
    *("numpy.ma", "numpy.random", "importlib.metadata", "email", "hashlib", "tempfile", "zipfile"),
    *("multiprocessing", "subprocess"),
}
REPORT = f"""
import json, sys
before = set(sys.modules)
from icgsynth.cli import run
code = run(sys.argv[1:])
new = set(sys.modules) - before
files = {{name: getattr(sys.modules[name], "__file__", None) or "" for name in new}}
elsewhere = {{name.partition(".")[0] for name in new if "site-packages" in files[name]}}
print(json.dumps([code, sorted(elsewhere | new & {SLOW_PARTS!r})]), file=sys.stderr)
"""
HELP = {"click"}
RULES = HELP | {"numpy", "islpy"}  # residue classes and isl, which most proofs need


def loaded(*arguments, said=""):
    """The exit code of a command, and what it had loaded of others at its end."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments], input=said, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    code, found = json.loads(done.stderr.splitlines()[-1])
    return code, set(found)


@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    """The file that ``solve nim2 -o`` writes."""
    path = tmp_path_factory.mktemp("nim2") / "nim2.json"
    code, found = loaded("solve", "nim2", "-o", str(path))
    assert code == 0
    assert found <= RULES | {"tempfile", "hashlib"}, "for the file that is written aside"
    return str(path)


@pytest.mark.parametrize(
    ("command", "may_load"),
    [
        ("--help", HELP),
        ("solve --help", HELP),
        ("family --help", HELP),
        ("sweep --help", HELP),
        ("--version", HELP | {"importlib.metadata", "email", "tempfile", "zipfile"}),
        ("list", HELP),
        ("value --help", HELP),
        ("value 0.77", HELP | {"numpy"}),  # a short period needs no compiled code
        ("solve 0.77+2*0.07", HELP | {"numpy"}),
        ("value 0.77+nim2 --at 3;4,5", RULES),
        ("check nim2", RULES),
        ("solve nim2", RULES),
        pytest.param("solve nim2 --rule both --json", RULES, marks=pytest.mark.slow),
        ("table nim2", RULES),
        ("play nim2 --start 3,4", RULES),
        ("verify nim2 ANSWER", RULES),
        ("export ANSWER --to python", HELP | {"islpy", "numpy"}),  # it is proved again
        pytest.param(
            "family take_away --over n=1..3",
            RULES | {"subprocess", "tempfile", "hashlib"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_command_loads_what_it_needs_and_no_more(command, may_load, request):
    words = command.split()
    if "ANSWER" in words:
        words[words.index("ANSWER")] = request.getfixturevalue("answer")
    code, found = loaded(*words, said="quit\n")
    assert code == 0
    assert found <= may_load


def test_islpy_knows_its_version():
    """The door to islpy tells it the version; see ``presburger/library.py``."""
    code = (
        "from icgsynth.prove.deciders.presburger.library import isl; told = isl.VERSION;"
        "import islpy.version; assert islpy.version.VERSION == told, told; print(isl.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (version("islpy"), "")


@pytest.mark.parametrize(
    "rows", [[[]], [[3, 1, 3]], [[2, 2], [9, -4]], [[], [7]], [[[1, 0], [0, 1]]]]
)
def test_distinct_values_are_those_of_numpy(rows):
    arrays = [np.array(row, np.int64) for row in rows]
    expected = np.unique(np.concatenate(arrays, axis=None))
    assert distinct(*arrays).tolist() == expected.tolist()
