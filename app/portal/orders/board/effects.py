"""The enhancements for all photos of a type, and whether public imagery replaces photos of the outside."""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalog import EXCLUSIVE
from app.domain.drafts import Content
from app.domain.errors import InvalidRequest
from app.portal.orders.board.page import answer, blueprint, refuse, render_board
from app.portal.orders.wizard.enhancements import PRESET, describe_excluded, read_choices
from app.portal.orders.wizard.steps import is_leaving, leave_wizard, page, read_version, save_content
from engine.types.enhancements import PhotoType

IMAGERY = "public_imagery"


@blueprint.post("/<draft_id>/effects")
def save_effects() -> ResponseReturnValue:
    """Save the lists of enhancements; a suggested combination replaces the list of its photo type."""
    try:
        typed = _read(page().content)
    except InvalidRequest:
        return refuse("Choose from the list.", anchor="effects")
    if not save_content(_read, read_version()):
        return render_board(409, typed=typed)
    if is_leaving():
        return leave_wizard()
    sent = request.form.getlist(PhotoType.EXTERIOR)
    dropped = [each for each in EXCLUSIVE if each in sent and each not in typed.exterior_enhancements]
    replaced = "" if PRESET in request.form else describe_excluded(dropped)
    return answer(f"Saved for all photos of this kind.{replaced}", anchor="effects")


def _read(content: Content) -> Content:
    """The content with the choices of the form. Raises InvalidRequest for an unknown enhancement."""
    # If the page did not offer the choice, its absence from the form does not mean that it was unticked.
    chosen = IMAGERY in request.form if f"{IMAGERY}_offered" in request.form else content.public_imagery
    return read_choices(content).model_copy(update={"public_imagery": chosen})
