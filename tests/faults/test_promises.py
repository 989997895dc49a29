"""What the documentation promises for when things break names tests that exist."""

import re

from tests.architecture.source import ROOT

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")


def test_every_promise_names_a_test_that_is_there() -> None:
    section = PAGE.partition("## Promises")[2].partition("\n## ")[0]
    promises = re.findall(r"^\| (?!Promise |---)(.+) \| (.+) \|$", section, re.MULTILINE)
    assert len(promises) > 15
    for promise, kept_by in promises:
        named = re.findall(r"`(tests/[^`]+)`", kept_by)
        assert named and all((ROOT / each).exists() for each in named), promise


def test_every_command_of_the_figures_is_there() -> None:
    commands = re.findall(r"`python -m (bench\.[a-z_.]+)(?: ([a-z]+))?", PAGE)
    assert len(commands) > 10
    for module, name in commands:
        path = ROOT / module.replace(".", "/")
        assert (path / f"{name}.py").exists() if path.is_dir() else path.with_suffix(".py").exists(), (module, name)
