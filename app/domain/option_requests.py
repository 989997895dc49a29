"""What orders and edit requests say of options."""

from typing import Any

from pydantic import ConfigDict

from engine.types.options import OPTIONS, EffectOptions


def _say_usual(schema: dict[str, Any]) -> None:
    for each in OPTIONS:
        field = schema["properties"][each.name]
        field["description"] = f"{field['description'][:-1]}; left out: {each.usual}."


class OptionsRequest(EffectOptions):
    """What is chosen of single effects; each option left out keeps what holds for all, at last the usual look."""

    model_config = ConfigDict(extra="forbid", title="OptionsRequest", json_schema_extra=_say_usual)
