"""Presets: created, listed, changed, deleted, and read for the orders that name one."""

from collections.abc import Mapping
from typing import Annotated, Any

from flask import Blueprint
from pydantic import Field

from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Moment, WireAnswer
from app.domain.errors import Conflict, NotFound
from app.domain.preset_rules import PresetRequest, read_preset
from app.domain.presets import MAX_PRESETS, SAMPLE_NAME, PresetContent
from app.models import Preset
from app.services.orders import presets
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from engine.types.enhancements import Enhancement, Style
from engine.types.options import EffectOptions

blueprint = Blueprint("presets_v1", __name__)
PATH = "/presets"
PresetId = Annotated[str, Field(examples=["pre_8Hc0ZsVyKd5Nq2LmXw9RtB"])]


class PresetAnswer(WireAnswer):
    """Choices that are kept under a name."""

    id: PresetId = Field(description="Names the preset in orders.")
    name: str = Field(examples=[SAMPLE_NAME])
    exterior_enhancements: list[Enhancement] = Field(description="For all exterior photos.")
    interior_enhancements: list[Enhancement] = Field(
        description="For all interior photos.", examples=[[Enhancement.HDR]]
    )
    options: EffectOptions | None = Field(default=None, description="Absent where none was chosen.")
    staging_style: Style | None = Field(
        default=None, description="Absent where none was chosen.", examples=[Style.SCANDINAVIAN]
    )
    is_default: bool = Field(description="Whether new orders of the portal begin with it.")
    created_at: Moment
    updated_at: Moment


class PresetList(WireAnswer):
    """All presets of the account."""

    presets: list[PresetAnswer] = Field(description="The default one first, then by name.")


class PresetDeleted(WireAnswer):
    """The answer to the deletion of a preset."""

    success: bool
    id: PresetId = Field(description="The deleted preset.")


@serve(
    blueprint,
    Operation(
        method="POST",
        path=PATH,
        scope=Scope.ORDERS_WRITE,
        summary="Make a preset",
        body=PresetRequest,
        answer=PresetAnswer,
        status=201,
        refusals=(Conflict,),
        notes=f"An account may have {MAX_PRESETS} presets, each with a name of its own (409).",
    ),
)
def create_preset() -> PresetAnswer:
    """Create a preset."""
    here, content = container(), json_object()
    wanted = read_preset(content)
    idempotency.begin(content)
    with idempotency.effect(201) as made:
        preset = presets.create(made.session, actor().account_id, wanted, here.clock())
        made.answer = answer = _answer(preset)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path=PATH,
        scope=Scope.ORDERS_WRITE,
        summary="List presets",
        answer=PresetList,
    ),
)
def list_presets() -> PresetList:
    """All presets of the account."""
    with container().database.read_session() as session:
        return PresetList(presets=[_answer(each) for each in presets.get_all(session, actor().account_id)])


@serve(
    blueprint,
    Operation(
        method="GET",
        path=f"{PATH}/{{presetId}}",
        scope=Scope.ORDERS_WRITE,
        summary="Get a preset",
        answer=PresetAnswer,
        refusals=(NotFound,),
    ),
)
def show_preset(preset_id: str) -> PresetAnswer:
    """One preset of the account."""
    with container().database.read_session() as session:
        return _answer(presets.get(session, actor().account_id, preset_id))


@serve(
    blueprint,
    Operation(
        method="PUT",
        path=f"{PATH}/{{presetId}}",
        scope=Scope.ORDERS_WRITE,
        summary="Change a preset",
        body=PresetRequest,
        answer=PresetAnswer,
        refusals=(NotFound, Conflict),
        notes="The whole preset is replaced. Orders placed with it stay as they are.",
    ),
)
def change_preset(preset_id: str) -> PresetAnswer:
    """Replace the whole preset by the one in the request."""
    here, wanted = container(), read_preset(json_object())
    with here.database.unit_of_work() as session:
        return _answer(presets.change(session, actor().account_id, preset_id, wanted, here.clock()))


@serve(
    blueprint,
    Operation(
        method="DELETE",
        path=f"{PATH}/{{presetId}}",
        scope=Scope.ORDERS_WRITE,
        summary="Delete a preset",
        answer=PresetDeleted,
        refusals=(NotFound,),
        notes="Orders placed with it stay as they are.",
    ),
)
def delete_preset(preset_id: str) -> PresetDeleted:
    """Delete the preset."""
    with container().database.unit_of_work() as session:
        presets.delete(session, actor().account_id, preset_id)
    return PresetDeleted(success=True, id=preset_id)


def find_preset(body: Mapping[str, Any], content: Mapping[str, Any]) -> PresetContent | None:
    """The content of the preset that an order's body names; None when it names no preset, or an unknown one.

    First claims the request's Idempotency-Key for `content`, so that a repeated request gets its first answer even
    if the preset was changed or deleted in the meantime.
    """
    if body.get("presetId") is None:
        return None
    idempotency.begin(content)
    with container().database.read_session() as session:
        return presets.find_content(session, actor().account_id, body)


def _answer(preset: Preset) -> PresetAnswer:
    return PresetAnswer(
        **dict(preset.content),
        id=preset.id,
        name=preset.name,
        is_default=preset.is_default,
        created_at=preset.created_at,
        updated_at=preset.updated_at,
    )
