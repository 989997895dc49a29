"""Rules on altered pictures: the list, and a single rule. They are public, because anyone may need to know them."""

import json
from datetime import date
from functools import lru_cache
from typing import Any

from flask import Blueprint

from app.api.v1.disclosure_answers import RuleAnswer, RuleList, answer_rule
from app.api.v1.operations import Operation, serve
from app.domain.disclosure.listing import list_rules
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import RuleKind
from app.domain.errors import NotFound
from app.web.context import container

blueprint = Blueprint("rules_v1", __name__)


def _sample() -> Any:
    """The example in the documentation: a real rule, because an invented one would make false claims about a law or
    a listing service.
    """
    return json.loads(answer_rule(all_rules()["oregon-rmls"], date(2026, 11, 20)).to_json())


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/rules",
        scope=None,
        summary="List what laws and listing services ask of altered pictures",
        answer=RuleList,
        answer_example=lambda: {"rules": [_sample()]},
    ),
)
def list_all_rules() -> RuleList:
    """Every rule."""
    return _answer_all(_today())


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/rules/{ruleId}",
        scope=None,
        summary="Read one rule",
        answer=RuleAnswer,
        answer_example=_sample,
        refusals=(NotFound,),
    ),
)
def show_rule(rule_id: str) -> RuleAnswer:
    """The rule with this id."""
    if rule_id not in all_rules():
        raise NotFound
    return answer_rule(all_rules()[rule_id], _today())


def _today() -> date:
    return container().clock().date()


@lru_cache(maxsize=1)
def _answer_all(today: date) -> RuleList:
    return RuleList(rules=[answer_rule(rule, today) for kind in RuleKind for rule in list_rules(kind)])
