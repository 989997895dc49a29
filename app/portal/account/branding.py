"""The studio's own look on pages for its clients: name, phone, color and logo."""

from flask import Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import FileField, StringField

from app.domain.branding import (
    COLOR_FORM,
    MAX_LOGO_BYTES,
    MAX_LOGO_MEGABYTES,
    MAX_STUDIO_NAME,
    dark_theme,
    light_theme,
    read_color,
)
from app.domain.errors import InvalidRequest
from app.portal.forms import add_errors, clean_line
from app.portal.fragments import render_page_or_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, require_visitor, visitor
from app.services.accounts import brandings
from app.services.accounts.brandings import ChosenLook, StudioLook
from app.web import file_forms
from app.web.bodies import MAX_JSON_BYTES, accept_body
from app.web.context import container
from app.web.form_parts import FilePart

blueprint = for_signed_in(PageBlueprint("branding", __name__, url_prefix="/account/branding"))

LOGO_FIELD = "logo"
POLL_SECONDS = 2
MAX_FORM_BYTES = MAX_LOGO_BYTES + MAX_JSON_BYTES
"""More than the largest logo: a logo that is slightly too large gets an error at its field, not a page with 413."""


class BrandingForm(FlaskForm):
    """The look that clients see; the service validates it."""

    studio_name = StringField("Name of your studio", filters=[clean_line])
    phone = StringField("Phone (optional)", filters=[clean_line])
    color = StringField("Color", filters=[clean_line])
    logo = FileField("Logo, or a photo of you")


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved look; for htmx only the logo, which is polled while it is being made."""
    look = _find_look()
    saved = {"studio_name": look.studio_name, "phone": look.phone, "color": look.color or ""}
    return _render(look, BrandingForm(None, data=saved))


@blueprint.post("")
@accept_body(MAX_FORM_BYTES, require_visitor)
def update() -> ResponseReturnValue:
    """Save the look; nothing is saved where any part of it is refused."""
    logos: list[bytes] = []

    def take(part: FilePart) -> None:
        if part.name == LOGO_FIELD and not logos:
            logos.append(_read_logo(part))

    file_forms.read_form(take)
    form = BrandingForm(request.form)
    try:
        _save(form, logos[0] if logos else None)
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _render(_find_look(), form)
    # Clients see a new logo only after a worker has made it.
    flash("Your branding is saved." if logos else "Your branding is saved. Clients see it from now on.")
    return redirect(url_for("branding.edit"), 303)


@blueprint.post("/logo/delete")
def delete_logo() -> ResponseReturnValue:
    """Remove the logo."""
    here = container()
    with here.database.unit_of_work() as session:
        brandings.remove_logo(session, visitor().account_id, here.clock())
    flash("The logo is removed.")
    return redirect(url_for("branding.edit"), 303)


@blueprint.get("/logo")
def logo() -> ResponseReturnValue:
    """The logo as clients see it."""
    with container().database.read_session() as session:
        return Response(brandings.get_logo(session, visitor().account_id), mimetype="image/png")


def _read_logo(part: FilePart) -> bytes:
    """The content of the file. A file that is too large is cut just above the limit, so it is still refused."""
    content = b""
    for chunk in part.chunks:
        if len(content) <= MAX_LOGO_BYTES:
            content += chunk
    return content


def _save(form: BrandingForm, logo: bytes | None) -> None:
    here = container()
    chosen = ChosenLook(form.studio_name.data or "", form.phone.data or "", form.color.data or "", logo)
    with here.database.unit_of_work() as session:
        brandings.update(session, visitor().account_id, chosen, here.clock())


def _find_look() -> StudioLook:
    with container().database.read_session() as session:
        return brandings.find(session, visitor().account_id)


def _render(look: StudioLook, form: BrandingForm) -> Response:
    return render_page_or_fragment(
        "portal/account/branding.html",
        "portal/account/_logo.html",
        422 if form.errors else 200,
        form=form,
        look=look,
        adjusted_colors=_list_adjusted_colors(look.color),
        color_form=COLOR_FORM,
        max_name=MAX_STUDIO_NAME,
        max_megabytes=MAX_LOGO_MEGABYTES,
        poll_seconds=POLL_SECONDS,
    )


def _list_adjusted_colors(color: str | None) -> list[tuple[str, str]]:
    """The themes that show another color than the saved one, to be readable: pairs of theme and shown color."""
    if color is None or read_color(color) is None:
        return []
    themes = (("light", light_theme(color)), ("dark", dark_theme(color)))
    return [(name, theme.accent) for name, theme in themes if theme.accent != color]
