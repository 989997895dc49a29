"""The table of ASVS points is whole, and what it names as evidence is there."""

import re
from collections import Counter

from tests.architecture.source import ROOT

POINTS = {1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7, 10: 29, 11: 14, 12: 9, 13: 13}
POINTS |= {14: 9, 15: 13, 16: 16, 17: 7}
"""How many points of levels 1 and 2 each chapter of ASVS 5.0.0 has."""
TABLE = (ROOT / "docs" / "asvs.md").read_text()
ROWS = re.findall(r"^\| (\d+)\.(\d+)\.(\d+) \| [12] \| (.+) \|$", TABLE, re.MULTILINE)


def test_every_point_has_one_line() -> None:
    assert Counter(int(chapter) for chapter, *_ in ROWS) == POINTS
    assert len({tuple(numbers) for *numbers, _ in ROWS}) == len(ROWS)


def test_the_figures_above_the_table_are_those_in_it() -> None:
    evidence = [each.lower() for *_, each in ROWS]
    not_applicable = [each for each in evidence if each.startswith("not applicable")]
    not_met = [each for each in evidence if each not in not_applicable and re.search("not met|^not shown", each)]
    told = re.search(r"(\d+) of (\d+) are met, (\d+) do not apply, (\d+) are\s+not met", TABLE)
    met = len(evidence) - len(not_applicable) - len(not_met)
    assert [int(each) for each in told.groups()] == [met, len(ROWS), len(not_applicable), len(not_met)]


def test_the_code_and_the_tests_it_names_are_there() -> None:
    named = set(re.findall(r"`((?:app|tests|docs|static|templates|deploy)/?[^`]*)`", TABLE))
    assert len(named) > 60
    assert sorted(each for each in named if not (ROOT / each).exists()) == []
    for names, path in re.findall(r"((?:`\w+`(?: and )?)+) in `([^`]+)`", TABLE):
        source = (ROOT / path).read_text()
        assert [name for name in re.findall(r"`(\w+)`", names) if not re.search(rf"\b{name}\b", source)] == []
