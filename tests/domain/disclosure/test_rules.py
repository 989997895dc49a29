"""Every rule as it stands: its words change by decision alone, and the documentation has all of them."""

import hashlib
import json

import pytest

from app.domain.catalogue import ENTRIES, Disclosure, Enhancement
from app.domain.disclosure.listing import list_rules
from app.domain.disclosure.rule_files import DEFAULT_RULE, all_rules
from app.domain.disclosure.rules import Demand, RuleCertainty, RuleKind, Treatment
from tests.architecture.source import ROOT

PINNED = {
    "australia": (1, "402bcddeda730ed5"),
    "bay-east": (1, "fda69da27eb9352b"),
    "bright": (1, "17ec8041bd1102ce"),
    "california": (1, "c651d357f8c54764"),
    "canopy": (1, "1a1064406ae8c72d"),
    "crmls": (1, "787035cc16f4f95b"),
    "elsewhere": (1, "258b14e7a579ffa5"),
    "european-union": (1, "0df25761da0b8236"),
    "mls-now": (1, "1e9596cb8b49cd20"),
    "new-york": (1, "648730c09f89cbb6"),
    "oregon-rmls": (1, "5d7072f9c60194c9"),
    "sdmls": (1, "bb575f5e4478e32e"),
    "smartmls": (1, "494099ff6f097ebf"),
    "stellar": (1, "29b89ce8cf3679aa"),
    "united-kingdom": (1, "02fb10fe0340c004"),
    "wisconsin": (1, "dfeff4786f839223"),
}
"""Each rule with its version and a digest of all that it says. Whoever changes a rule compares it with its source,
sets `checked` to that day, raises its `version`, and writes the new digest here.
"""
WANTED = {"california", "wisconsin", "new-york", "european-union", "united-kingdom", "australia", "elsewhere"}
WANTED |= {"crmls", "bay-east", "sdmls", "mls-now", "stellar", "bright", "canopy", "oregon-rmls", "smartmls"}


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
    said = {Treatment.EXEMPT: "exempt", Treatment.REQUIRED: "told", Treatment.BARRED: "**barred**"}
    rules = [rule for kind in RuleKind for rule in list_rules(kind)]
    lines = ["| Rule | " + " | ".join(f"`{each}`" for each in Enhancement) + " | checked | sources |"]
    lines.append("|---" * (len(Enhancement) + 3) + "|")
    for rule in rules:
        cells = [said[rule.treatment_of(each)] for each in Enhancement]
        sources = ", ".join(f"[{number}]({each.url})" for number, each in enumerate(rule.sources, 1)) or "our own"
        lines.append(f"| {rule.name} | " + " | ".join(cells) + f" | {rule.checked} | {sources} |")
    return "\n".join(lines)


def test_the_documentation_has_the_table_of_all_rules() -> None:
    page = (ROOT / "docs" / "disclosure.md").read_text(encoding="utf-8")
    assert table() in page, f"put this into docs/disclosure.md:\n{table()}"
