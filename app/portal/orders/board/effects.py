"""The enhancements for all photos of a type, and whether public imagery replaces photos of the outside."""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.drafts import Content
from app.domain.errors import InvalidRequest
from app.portal.orders.board.page import answer, blueprint, refuse, render_board
from app.portal.orders.wizard.enhancements import read_choices
from app.portal.orders.wizard.steps import is_leaving, leave_wizard, page, read_version, save_content

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
    return leave_wizard() if is_leaving() else answer("Saved for all photos of this kind.", anchor="effects")


def _read(content: Content) -> Content:
    """The content with the choices of the form. Raises InvalidRequest for an unknown enhancement."""
    # Where the page did not offer the choice, its absence from the form does not mean that it was unticked.
    chosen = IMAGERY in request.form if f"{IMAGERY}_offered" in request.form else content.public_imagery
    return read_choices(content).model_copy(update={"public_imagery": chosen})
