"""The names of the studio's downloads: the form for its pattern, with a preview before the pattern is saved."""

from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import StringField

from app.domain.errors import InvalidRequest
from app.domain.naming import MAX_PATTERN, PLACEHOLDERS, name_photo, read_pattern
from app.portal.forms import add_errors, clean_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.accounts import organizations
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("file_names", __name__, url_prefix="/account/file-names"))

PREVIEW = "preview"
SUGGESTED = "{street}-{nn}"
_EXAMPLE_ADDRESS = "12 Garden Lane, Springfield, IL 62704"
_EXAMPLE_PHOTOS = (("DSC_0412.jpg", "exterior"), ("kitchen.jpg", "interior"))


class FileNamesForm(FlaskForm):
    """The pattern of file names."""

    pattern = StringField("Pattern (optional)", filters=[clean_line])


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved pattern."""
    with container().database.read_session() as session:
        saved = organizations.get(session, visitor().account_id).file_names
    return _page(FileNamesForm(None, data={"pattern": saved}), saved)


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the pattern, or only show the names that it makes."""
    form = FileNamesForm()
    try:
        pattern = read_pattern(form.pattern.data or "")
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _page(form, "", 422)
    if PREVIEW in request.form:
        return _page(form, pattern)
    here = container()
    with here.database.unit_of_work() as session:
        organizations.set_file_names(session, visitor().account_id, pattern, here.clock())
    flash("Your file names are saved. Downloads have them from now on.")
    return redirect(url_for("file_names.edit"), 303)


def _page(form: FileNamesForm, pattern: str, http_status: int = 200) -> ResponseReturnValue:
    examples = [
        name_photo(pattern, name, address=_EXAMPLE_ADDRESS, number=number, kind=kind)
        for number, (name, kind) in enumerate(_EXAMPLE_PHOTOS, 1)
    ]
    values: dict[str, Any] = {"form": form, "examples": examples, "address": _EXAMPLE_ADDRESS}
    values |= {"placeholders": PLACEHOLDERS, "max_pattern": MAX_PATTERN, "suggested": SUGGESTED, "preview": PREVIEW}
    return render_template("portal/account/file_names.html", **values), http_status
