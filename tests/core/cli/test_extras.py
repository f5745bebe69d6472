"""An extra that is not installed: the command that adds it, as this copy was installed."""

import json
import sys
from importlib import metadata
from pathlib import Path
from shlex import split

import pytest

from icgsynth import wings

PIP = [sys.executable, "-m", "pip", "install"]


def told(monkeypatch, text):
    class Installed:
        def read_text(self, name):
            assert name == "direct_url.json"
            return text

    monkeypatch.setattr(metadata, "distribution", lambda name: Installed())
    return split(wings.installing("studio"))


def test_a_clone_is_named_by_its_folder(monkeypatch, tmp_path):
    folder = tmp_path / "my games"
    folder.mkdir()
    url = folder.as_uri()
    plain = json.dumps({"url": url, "dir_info": {}})
    assert told(monkeypatch, plain) == [*PIP, f"{folder}[studio]"]
    editable = json.dumps({"url": url, "dir_info": {"editable": True}})
    assert told(monkeypatch, editable) == [*PIP, "-e", f"{folder}[studio]"]


def test_a_clone_that_is_gone_is_not_named(monkeypatch, tmp_path):
    gone = json.dumps({"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert told(monkeypatch, gone) == [*PIP, "icgsynth[studio]"]


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ({"url": "https://a.org/b.git", "vcs_info": {"vcs": "git"}}, "git+https://a.org/b.git"),
        ({"url": "https://a.org/b.whl", "archive_info": {}}, "https://a.org/b.whl"),
    ],
)
def test_a_copy_from_an_address_is_named_by_it(monkeypatch, found, wanted):
    assert told(monkeypatch, json.dumps(found)) == [*PIP, f"icgsynth[studio] @ {wanted}"]


def test_a_clone_that_is_run_where_it_stands(monkeypatch):
    def none(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", none)
    clone = Path(wings.__file__).parents[1]
    assert split(wings.installing("fft")) == [*PIP, f"{clone}[fft]"]


def test_nothing_else_names_a_command_of_pip():
    """Each missing extra is told by ``wings.lacking``: no mend of its own goes out of date."""
    folder = Path(wings.__file__).parent
    found = [p.name for p in folder.rglob("*.py") if "pip install" in p.read_text("utf-8")]
    assert not found
