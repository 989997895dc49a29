"""Step 3: the photos. Without JavaScript they come with the form; with it see uploads.py."""

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import limits
from app.domain.catalogue import PhotoType
from app.domain.drafts import Step
from app.domain.errors import Refusal
from app.domain.orders import MAX_FILES, MAX_FRAMES, MAX_PHOTOS
from app.portal.fragments import wants_fragment
from app.portal.orders.wizard.steps import (
    blueprint,
    go_on,
    is_leaving,
    link_problems,
    list_problems,
    page,
    pressed_button,
    redirect_to_problem,
    reload_page,
    render_step,
    save_content,
)
from app.portal.orders.wizard.uploads import explain_refusal, receive
from app.portal.visitors import require_visitor, visitor
from app.services.orders import draft_groups, draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.web.bodies import takes
from app.web.context import container
from app.web.file_forms import read_form
from app.web.form_parts import FilePart

STAY = "stay"


@blueprint.get("/<draft_id>/photos")
def photos() -> ResponseReturnValue:
    """The zones and what was uploaded so far."""
    return redirect_to_problem(Step.PHOTOS) or _page()


@blueprint.post("/<draft_id>/photos")
@takes(2 * MAX_FILES * limits.MAX_FILE_BYTES, require_visitor)
def save_photos() -> ResponseReturnValue:
    """Take the form's files in and go on once every type has what it needs."""
    refused = _receive_files()
    _save_imagery()
    if not refused and (is_leaving() or pressed_button() == STAY):
        return go_on(Step.PHOTOS) if is_leaving() else redirect(url_for("drafts.photos"), 303)
    faults = refused + ([] if pressed_button() == STAY else link_problems(list_problems(Step.PHOTOS)))
    return _page(422, faults) if faults else go_on(Step.PHOTOS)


@blueprint.post("/<draft_id>/photos/<photo_id>/move/<any(up,down):way>")
def move_photo(photo_id: str, way: str) -> ResponseReturnValue:
    """Put the photo one place earlier or later."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        draft_photos.move(session, draft, photo_id, -1 if way == "up" else 1, here.clock())
    return redirect(url_for("drafts.photos", _anchor=f"file-{photo_id}"), 303)


@blueprint.post("/<draft_id>/photos/<photo_id>/remove")
def remove_photo(photo_id: str) -> ResponseReturnValue:
    """Take the photo out, with all its files."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        for each in draft_groups.list_frames(session, draft, photo_id):
            draft_photos.remove(session, here.storage, draft, each, here.clock())
    return ("", 204) if wants_fragment() else redirect(url_for("drafts.photos"), 303)


def _receive_files() -> list[tuple[str, str]]:
    """Every file of the form; those that were refused with the address of their zone and why."""
    refused: list[tuple[str, str]] = []

    def take(part: FilePart) -> None:
        if part.name not in list(PhotoType):
            return
        try:
            receive(part, NewFile(PhotoType(part.name), part.file_name))
        except Refusal as refusal:
            name = draft_photos.plain_name(part.file_name) or "A file"
            refused.append((f"#{part.name}-files", f"{name}: {explain_refusal(refusal)}"))

    read_form(take)
    reload_page()
    return refused


def _save_imagery() -> None:
    # Where the choice was not on the page, its absence from the form says nothing.
    if container().imagery is not None and page().content.covers(PhotoType.EXTERIOR):
        chosen = "public_imagery" in request.form
        save_content(lambda content: content.model_copy(update={"public_imagery": chosen}))


def _page(http_status: int = 200, faults: list[tuple[str, str]] | None = None) -> ResponseReturnValue:
    most = {
        "max_photos": MAX_PHOTOS,
        "max_files": MAX_FILES,
        "max_frames": MAX_FRAMES,
        "max_megabytes": limits.MAX_FILE_MEGABYTES,
        "max_bytes": limits.MAX_FILE_BYTES,
    }
    return render_step(Step.PHOTOS, "photos", http_status, faults=faults or [], **most)
