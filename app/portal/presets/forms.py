"""The form of a house style, as it is sent and as it is shown again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import request

from app.domain.catalog import ENTRIES, EXCLUSIVE
from app.domain.drafts import keep_known
from app.domain.errors import InvalidFields
from app.domain.field_errors import Fault
from app.domain.mail_text import one_line
from app.domain.preset_rules import PresetRequest, read_preset
from app.domain.presets import PresetContent
from app.models import Preset
from app.portal.option_forms import STAGING_STYLE, name_option_field, read_typed_options
from app.web.fault_messages import message
from engine.types.enhancements import Enhancement, PhotoType, Style
from engine.types.options import OPTIONS, EffectOptions

NAME, DEFAULT = "name", "is_default"
NO_NAME, NOTHING_CHOSEN = "Enter a name.", "Choose something: an enhancement, an option or a style."
UNKNOWN_CHOICE = "Choose from the lists below."
FIRST_BOX = f"{PhotoType.EXTERIOR}-0"
"""The id of the first checkbox, where faults are shown that belong to no single field."""


@dataclass(frozen=True, slots=True)
class PresetForm:
    """The values of the form, and its faults by the ids of its fields."""

    name: str = ""
    content: PresetContent = field(default_factory=PresetContent)
    is_default: bool = False
    faults: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, preset: Preset) -> "PresetForm":
        """The form filled in from the preset."""
        return cls(preset.name, preset.content, preset.is_default)

    def with_faults(self, faults: Mapping[str, str]) -> "PresetForm":
        """A copy with these faults."""
        return replace(self, faults=faults)


def read_form() -> tuple[PresetForm, PresetRequest | None]:
    """Read the form of this request, and the preset in it. If anything is wrong, the form has faults and the preset
    is None.
    """
    body = _read_body()
    form = PresetForm(one_line(body["name"]), _read_known(body), body["isDefault"])
    if len(rivals := [each for each in EXCLUSIVE if each in form.content.exterior_enhancements]) > 1:
        names = " and ".join(ENTRIES[each].label for each in rivals)
        return form.with_faults({FIRST_BOX: f"Choose one of {names}: each draws its own sky."}), None
    try:
        return form, read_preset(body)
    except InvalidFields as refusal:
        return form.with_faults(dict(_describe_fault(fault, form) for fault in reversed(refusal.faults))), None


def _read_body() -> dict[str, Any]:
    """The form as a request body of the API. An option with its usual value counts as not chosen."""
    usual = {option.name: option.usual for option in OPTIONS}
    options = {name: text for name, text in read_typed_options().items() if text and text != usual[name]}
    return {
        "name": request.form.get(NAME, ""),
        **{f"{group}Enhancements": request.form.getlist(group) for group in PhotoType},
        "options": options or None,
        "stagingStyle": request.form.get(STAGING_STYLE) or None,
        "isDefault": request.form.get(DEFAULT) == "yes",
    }


def _read_known(body: Mapping[str, Any]) -> PresetContent:
    """The known values of the body, which the form can show again."""
    lists = {f"{group}_enhancements": keep_known(Enhancement, body[f"{group}Enhancements"]) for group in PhotoType}
    options = body["options"] or {}
    known = {
        option.name: options[option.name]
        for option in OPTIONS
        if options.get(option.name) in {value.value for value in option.choices}
    }
    style = next(iter(keep_known(Style, [body["stagingStyle"] or ""])), None)
    return PresetContent.model_validate({**lists, "options": EffectOptions.of(known), "staging_style": style})


def _describe_fault(fault: Fault, form: PresetForm) -> tuple[str, str]:
    """The field's id, and the message for the fault."""
    match fault.where:
        case ("name",):
            return NAME, message(fault) if form.name else NO_NAME
        case ("options", str(name)):
            return name_option_field(name), UNKNOWN_CHOICE
        case ("exteriorEnhancements",):
            return FIRST_BOX, NOTHING_CHOSEN
    return FIRST_BOX, UNKNOWN_CHOICE
