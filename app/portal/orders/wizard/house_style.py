"""House styles in the wizard: an order takes the choices of one, and its own choices are kept as one."""

from collections.abc import Mapping
from typing import Any

from flask import flash, request

from app.domain.drafts import Content
from app.domain.errors import Conflict, InvalidFields, NotFound
from app.domain.preset_rules import read_preset
from app.domain.presets import MAX_PRESET_NAME, PresetContent
from app.models import Preset
from app.portal.orders.wizard.steps import page, save_content, strip_unprintable
from app.portal.visitors import visitor
from app.services.orders import presets
from app.web.context import container
from app.web.fault_messages import message

USE, KEEP = "use-style", "keep-style"
ID, NAME = "style_id", "style_name"
GONE = "This house style is no longer there. Choose another one."


def use_chosen() -> Mapping[str, str]:
    """Put the choices of the house style in place of the draft's; what kept it from that, by field."""
    try:
        with container().database.read_session() as session:
            preset = presets.get(session, visitor().account_id, request.form.get(ID, ""))
    except NotFound:
        return {ID: GONE}
    save_content(lambda content: content.with_choices(preset.content))
    flash(f"The choices of “{preset.name}” are in the order.")
    return {}


def keep_choices() -> Mapping[str, str]:
    """Keep the draft's choices under the name that was typed; what kept it from that, by field."""
    here = container()
    try:
        wanted = read_preset(to_body(request.form.get(NAME, ""), page().content.choices))
        with here.database.unit_of_work() as session:
            presets.create(session, visitor().account_id, wanted, here.clock())
    except InvalidFields as refusal:
        return {NAME: say_fault(refusal)}
    except Conflict as refusal:
        return {NAME: refusal.message}
    flash(f"Kept as the house style “{wanted.name}”.")
    return {}


def to_body(name: str, content: PresetContent, *, is_default: bool = False) -> dict[str, Any]:
    """The choices as a program would send them."""
    return {
        "name": name,
        "exteriorEnhancements": list(content.exterior_enhancements),
        "interiorEnhancements": list(content.interior_enhancements),
        "options": content.options.chosen if content.options else None,
        "stagingStyle": content.staging_style,
        "isDefault": is_default,
    }


def say_fault(refusal: InvalidFields) -> str:
    """The first fault in the words of the pages."""
    fault = refusal.faults[0]
    if fault.where[:1] == ("name",):
        return "Enter a name." if not request.form.get(NAME, "").strip() else message(fault)
    return "Choose something first: an enhancement, an option or a style."


def list_values(typed: Content, faults: Mapping[str, str]) -> dict[str, Any]:
    """What the parts of the page about house styles show."""
    with container().database.read_session() as session:
        found: list[Preset] = list(presets.get_all(session, visitor().account_id))
    return {
        "house_styles": found,
        "style_faults": faults,
        "max_style_name": MAX_PRESET_NAME,
        "typed_style_name": strip_unprintable(request.form.get(NAME, "")) if faults.get(NAME) else "",
        "staging_style": typed.staging_style,
    }
