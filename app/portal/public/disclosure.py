"""Rules of laws and listing services on altered photos: all side by side, and each with its words and sources."""

from datetime import date

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain.catalog import ENTRIES
from app.domain.dates import format_day
from app.domain.disclosure.listing import list_rules
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import (
    Demand,
    OriginalPlace,
    PrimaryPhoto,
    Rule,
    RuleCertainty,
    RuleKind,
    RuleStage,
    Treatment,
)
from app.domain.errors import require_found
from app.portal.page_blueprint import PageBlueprint
from app.web.context import container

blueprint = PageBlueprint("disclosure", __name__, url_prefix="/disclosure")

TREATMENTS = {
    Treatment.EXEMPT: ("Exempt", "good"),
    Treatment.REQUIRED: ("Disclosed", "busy"),
    Treatment.BARRED: ("Barred", "bad"),
}
"""Each treatment in words, with the tone of its tag."""
CERTAINTIES = {
    RuleCertainty.TEXT_READ: "We read the rule's own text.",
    RuleCertainty.REPORTED: "We know it from secondary sources, not from its own text.",
    RuleCertainty.INFERRED: "No text says this directly: it is how we read a general rule.",
}
PICTURE_LABELS = {
    Demand.REQUIRED: "Words in the picture itself",
    Demand.ALLOWED: "No words needed in the picture itself",
    Demand.FORBIDDEN: "No words in the picture itself",
}
CAPTIONS = {
    Demand.REQUIRED: "Words in the caption",
    Demand.ALLOWED: "A caption is welcome",
    Demand.FORBIDDEN: "No caption",
}
ORIGINALS = {
    OriginalPlace.NOT_ASKED: "The original is not required in the set",
    OriginalPlace.IN_SET: "The original in the same set",
    OriginalPlace.BEFORE_OR_AFTER: "The original immediately before or after",
    OriginalPlace.AFTER: "The original immediately after",
}
PRIMARY_PHOTOS = {
    PrimaryPhoto.ANY: None,
    PrimaryPhoto.EXTERIOR: "The first picture is the front of the house",
    PrimaryPhoto.UNALTERED_EXTERIOR: "The first picture is the exterior, unaltered",
}


@blueprint.app_template_filter()
def begins(rule: Rule) -> str:
    """When a rule that is not in force yet begins: `from Jan 1, 2027`, `not law yet`; empty for a rule in force."""
    match rule.stage_on(_today()):
        case RuleStage.BILL:
            return "not law yet"
        case RuleStage.ENACTED if rule.in_force:
            return f"from {format_day(rule.in_force)}"
    return ""


@blueprint.get("")
def index() -> ResponseReturnValue:
    """How every rule treats every enhancement."""
    return render_template(
        "portal/public/disclosure/index.html",
        groups={kind: list_rules(kind) for kind in RuleKind},
        kinds=RuleKind,
        # Enhancements that change only light and color have no disclosure under any rule.
        entries=[entry for entry in ENTRIES.values() if entry.disclosure],
        treatments=TREATMENTS,
    )


@blueprint.get("/<rule_id>")
def show(rule_id: str) -> ResponseReturnValue:
    """One rule, with its words and sources."""
    rule = require_found(all_rules().get(rule_id))
    return render_template(
        "portal/public/disclosure/rule.html",
        rule=rule,
        entries=list(ENTRIES.values()),
        treatments=TREATMENTS,
        certainties=CERTAINTIES,
        today=_today(),
        demands=describe_demands(rule),
    )


def _today() -> date:
    return container().clock().date()


def describe_demands(rule: Rule) -> list[str]:
    """List the requirements of the rule for a listing, each in one line."""
    label, pictures = rule.label, rule.pictures
    lines = [
        PICTURE_LABELS[label.picture],
        CAPTIONS[label.caption],
        ORIGINALS[rule.original],
        PRIMARY_PHOTOS[rule.primary_photo],
        label.remarks and f"The remarks begin with “{label.remarks}”",
        "A link to the public original beside it" if label.original_link is Demand.REQUIRED else None,
        pictures.max_count and f"At most {pictures.max_count} pictures",
        pictures.max_bytes and f"Files below {pictures.max_bytes // 1_000_000} MB",
        pictures.width and f"Ideally {pictures.width} by {pictures.height} pixels",
    ]
    return [line for line in lines if line]
