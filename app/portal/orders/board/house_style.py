"""House styles on the board: applying one to the order, or saving the order's choices as a new one."""

from collections.abc import Mapping
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidFields, NotFound
from app.domain.preset_rules import read_preset
from app.domain.presets import PresetContent
from app.portal.orders.board.page import answer, blueprint, render_board
from app.portal.orders.wizard.steps import page, pressed_button, save_content, strip_unprintable
from app.portal.visitors import visitor
from app.services.orders import presets
from app.web.context import container
from app.web.fault_messages import message

USE, KEEP = "use-style", "keep-style"
ID, NAME = "style_id", "style_name"
STYLE_DELETED = "This house style no longer exists. Choose another one."


@blueprint.post("/<draft_id>/house-style")
def change_house_style() -> ResponseReturnValue:
    """Apply the chosen house style, or save the order's choices as a new one."""
    done, faults = _save_choices() if pressed_button() == KEEP else _use_chosen()
    if not faults:
        return answer(done, anchor="house-style")
    typed = strip_unprintable(request.form.get(NAME, "")) if faults.get(NAME) else ""
    linked_faults = [("#" + field, fault) for field, fault in faults.items()]
    return render_board(422, faults=linked_faults, style_faults=faults, typed_style_name=typed)


def _use_chosen() -> tuple[str, Mapping[str, str]]:
    """Replace the draft's choices by those of the house style. Returns a message of success, or faults by field."""
    try:
        with container().database.read_session() as session:
            preset = presets.get(session, visitor().account_id, request.form.get(ID, ""))
    except NotFound:
        return "", {ID: STYLE_DELETED}
    save_content(lambda content: content.with_choices(preset.content))
    return f"The house style “{preset.name}” was applied.", {}


def _save_choices() -> tuple[str, Mapping[str, str]]:
    """Save the draft's choices under the typed name. Returns a message of success, or faults by field."""
    here = container()
    try:
        wanted = read_preset(to_body(request.form.get(NAME, ""), page().content.choices))
        with here.database.unit_of_work() as session:
            presets.create(session, visitor().account_id, wanted, here.clock())
    except InvalidFields as refusal:
        return "", {NAME: describe_fault(refusal)}
    except Conflict as refusal:
        return "", {NAME: refusal.message}
    return f"Saved as the house style “{wanted.name}”.", {}


def to_body(name: str, content: PresetContent, *, is_default: bool = False) -> dict[str, Any]:
    """The choices as a request body of the API."""
    return {
        "name": name,
        "exteriorEnhancements": list(content.exterior_enhancements),
        "interiorEnhancements": list(content.interior_enhancements),
        "options": content.options.chosen if content.options else None,
        "stagingStyle": content.staging_style,
        "isDefault": is_default,
    }


def describe_fault(refusal: InvalidFields) -> str:
    """The message of the pages for the first fault."""
    fault = refusal.faults[0]
    if fault.where[:1] == ("name",):
        return "Enter a name." if not request.form.get(NAME, "").strip() else message(fault)
    return "Choose something first: an enhancement, an option or a style."
