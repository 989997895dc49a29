"""The recipes by which a job's pictures were made."""

from typing import Annotated

from flask import Blueprint
from pydantic import BeforeValidator, Field

from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import NotFound, NotReady
from app.domain.fields import JobId
from app.domain.hint_requests import Hints
from app.domain.recipes import RecipeFacts
from app.services.photos import recipes
from app.web.authentication import actor
from app.web.context import container
from engine.types.enhancements import ChangeType, RoomType, Style
from engine.types.options import EffectOptions

blueprint = Blueprint("recipes_v1", __name__)


class RecipeStagingAnswer(WireAnswer):
    """The style and the type of room that were ordered for virtual staging."""

    style: Style
    room_type: RoomType


class RecipeChangeAnswer(WireAnswer):
    """One change of a renovation, as it was ordered."""

    change_type: Annotated[ChangeType, BeforeValidator(lambda found: found or ChangeType.OTHER)]
    change_description: str
    reference_text: str | None = None
    reference_image_count: int = 0


class RecipeAnswer(RecipeFacts):
    """What one picture was made from."""

    staging: RecipeStagingAnswer | None = None
    changes: list[RecipeChangeAnswer] = Field(examples=[[]])
    options: EffectOptions | None = Field(default=None, description="The chosen options; absent without any.")
    hints: Hints | None = Field(default=None, description="The hints that the picture was made with.")


class RecipesAnswer(WireAnswer):
    """The recipes of a job's approved pictures."""

    job_id: JobId
    recipes: list[RecipeAnswer]


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/recipes",
        scope=Scope.JOBS_READ,
        summary="Get what a job's approved pictures were made from",
        answer=RecipesAnswer,
        refusals=(NotReady, NotFound),
        notes="They stay with the order when its pictures are gone.",
    ),
)
def show_recipes(job_id: str) -> RecipesAnswer:
    """The recipes of the job's approved pictures."""
    with container().database.read_session() as session:
        found = recipes.read(session, actor().account_id, job_id)
    return RecipesAnswer(job_id=job_id, recipes=[RecipeAnswer.model_validate(each) for each in found])
