"""Every rule as it stands: its words change by decision alone, and the documentation has all of them."""

import hashlib
import json
from datetime import date, timedelta

import pytest

from app.domain.catalog import ENTRIES
from app.domain.disclosure.listing import list_rules
from app.domain.disclosure.rule_files import DEFAULT_RULE, all_rules
from app.domain.disclosure.rules import Demand, RuleCertainty, RuleKind, RuleStage, Treatment
from engine.types.enhancements import Disclosure, Enhancement
from tests.architecture.source import ROOT

PINNED = {
    "australia": (1, "a9450194ffaf80b0"),
    "bay-east": (1, "dddf295b544f801f"),
    "bright": (1, "6f7be1ca7921961b"),
    "california": (1, "1ddedc24b615c0e7"),
    "canopy": (1, "b0f7bb479f72d875"),
    "crmls": (1, "6db6b8e0c570df1c"),
    "elsewhere": (1, "580154d55121b857"),
    "european-union": (2, "91218de329463d21"),
    "mls-now": (1, "f33f5511437d990b"),
    "new-jersey": (1, "655e96bd32734453"),
    "new-york": (1, "b4fb9a2279eaec21"),
    "oregon-rmls": (1, "79f079bb66579764"),
    "sdmls": (1, "a0ea7d4f0c04088d"),
    "smartmls": (1, "ed4eb21047ef0b28"),
    "stellar": (1, "05bedcedbdadec24"),
    "united-kingdom": (1, "e426e257f8b651d7"),
    "wisconsin": (2, "a9a71fd3f660a20a"),
}
"""Each rule with its version and a digest of all that it says. Whoever changes a rule compares it with its source,
sets `checked` to that day, raises its `version`, and writes the new digest here.
"""
WANTED = {
    "california",
    "wisconsin",
    "new-jersey",
    "new-york",
    "european-union",
    "united-kingdom",
    "australia",
    "elsewhere",
}
WANTED |= {"crmls", "bay-east", "sdmls", "mls-now", "stellar", "bright", "canopy", "oregon-rmls", "smartmls"}


LAST_RELEASE = date(2026, 11, 28)
"""Whoever adds a rule that begins after this day looks at what it asks for until then."""


def digest(rule_id: str) -> str:
    said = all_rules()[rule_id].model_dump(mode="json")
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


@pytest.mark.parametrize("rule_id", sorted(all_rules()))
def test_no_word_of_a_rule_changes_unnoticed(rule_id: str) -> None:
    assert PINNED.get(rule_id) == (all_rules()[rule_id].version, digest(rule_id))


def test_every_place_and_service_that_was_promised_has_its_rule() -> None:
    assert all_rules().keys() == PINNED.keys()
    assert all_rules().keys() >= WANTED


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_a_rule_names_its_sources_and_says_where_its_own_text_is_missing(rule) -> None:
    assert rule.sources or rule.id == DEFAULT_RULE
    assert rule.has_primary_source or rule.certainty is not RuleCertainty.TEXT_READ
    assert all(
        each.treatment is Treatment.EXEMPT for name, each in rule.effects.items() if not ENTRIES[name].disclosure
    )
    assert rule.label.picture is Demand.REQUIRED or rule.label.caption is Demand.REQUIRED


def test_a_law_asks_for_nothing_before_its_day_that_we_would_not_ask_for_anyway() -> None:
    later = [rule for rule in all_rules().values() if rule.in_force and not rule.bill]
    ours = all_rules()[DEFAULT_RULE]
    for rule in later:
        before = rule.in_force - timedelta(days=1)
        assert (rule.stage_on(before), rule.stage_on(rule.in_force)) == (RuleStage.ENACTED, RuleStage.IN_FORCE)
    announced = [rule for rule in later if rule.stage_on(LAST_RELEASE) is RuleStage.ENACTED]
    assert announced == [all_rules()["wisconsin"]]
    assert all(rule.treatment_of(each) is ours.treatment_of(each) for rule in announced for each in Enhancement)


def test_files_say_what_the_rule_for_every_other_place_says() -> None:
    assert all_rules()[DEFAULT_RULE].label.words == {each: each.words for each in Disclosure}


def test_labels_are_said_in_the_words_of_each_rule() -> None:
    both = [Enhancement.STAGING, Enhancement.DECLUTTER]
    said = {rule_id: rule.label_for(both) for rule_id, rule in all_rules().items()}
    assert said["crmls"] == "Virtually staged, digitally altered"
    assert said["canopy"] == "Virtually Staged, Digitally Altered"
    assert said["sdmls"] == "Digitally altered"
    assert said["stellar"] == "Virtually staged"
    assert {rule.label_for([Enhancement.HDR]) for rule in all_rules().values()} == {None}
    assert all(
        rule.disclosures_of(both) == [Disclosure.STAGED, Disclosure.ALTERED] for rule in all_rules().values()
    )


def table() -> str:
    """The table of effects and places in docs/disclosure.md."""
    said = {Treatment.EXEMPT: "exempt", Treatment.REQUIRED: "disclosed", Treatment.BARRED: "**barred**"}
    rules = [rule for kind in RuleKind for rule in list_rules(kind)]
    lines = ["| Rule | " + " | ".join(f"`{each}`" for each in Enhancement) + " | in force | checked | sources |"]
    lines.append("|---" * (len(Enhancement) + 4) + "|")
    for rule in rules:
        cells = [said[rule.treatment_of(each)] for each in Enhancement]
        sources = ", ".join(f"[{number}]({each.url})" for number, each in enumerate(rule.sources, 1)) or "our own"
        begins = "a bill" if rule.bill else rule.in_force or ""
        lines.append(f"| {rule.name} | " + " | ".join(cells) + f" | {begins} | {rule.checked} | {sources} |")
    return "\n".join(lines)


def test_the_documentation_has_the_table_of_all_rules() -> None:
    page = (ROOT / "docs" / "disclosure.md").read_text(encoding="utf-8")
    assert table() in page, f"put this into docs/disclosure.md:\n{table()}"
