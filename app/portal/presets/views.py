"""House styles: the list, and creating, changing and deleting one, or making it the default."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.catalog import ENTRIES
from app.domain.errors import Conflict
from app.domain.presets import MAX_PRESET_NAME, MAX_PRESETS
from app.models import Preset
from app.portal.orders.wizard.enhancements import price_exterior
from app.portal.page_blueprint import PageBlueprint
from app.portal.presets.forms import NAME, PresetForm, read_form
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import presets
from app.web.context import container
from engine.types.enhancements import Enhancement, PhotoType, Style

blueprint = for_signed_in(PageBlueprint("presets", __name__, url_prefix="/presets"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Every house style of the account."""
    with container().database.read_session() as session:
        rows = presets.get_all(session, visitor().account_id)
    return render_template(
        "portal/presets/index.html", rows=rows, max_presets=MAX_PRESETS, photo_types=list(PhotoType)
    )


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """The empty form."""
    return _page(PresetForm())


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Save a new house style."""
    here = container()
    form, wanted = read_form()
    if wanted is None:
        return _page(form, 422)
    try:
        with here.database.unit_of_work() as session:
            presets.create(session, visitor().account_id, wanted, here.clock())
    except Conflict as refusal:
        return _page(form.with_faults({NAME: refusal.message}), 409)
    flash(f"The house style “{wanted.name}” is saved.")
    return redirect(url_for("presets.index"), 303)


@blueprint.get("/<preset_id>")
def show(preset_id: str) -> ResponseReturnValue:
    """The form with one house style, to change it."""
    preset = _find(preset_id)
    return _page(PresetForm.of(preset), preset=preset)


@blueprint.post("/<preset_id>")
def change(preset_id: str) -> ResponseReturnValue:
    """Save the house style as it is in the form."""
    here, preset = container(), _find(preset_id)
    form, wanted = read_form()
    if wanted is None:
        return _page(form, 422, preset)
    try:
        with here.database.unit_of_work() as session:
            presets.change(session, visitor().account_id, preset_id, wanted, here.clock())
    except Conflict as refusal:
        return _page(form.with_faults({NAME: refusal.message}), 409, preset)
    flash(f"The house style “{wanted.name}” is saved.")
    return redirect(url_for("presets.index"), 303)


@blueprint.post("/<preset_id>/default")
def make_default(preset_id: str) -> ResponseReturnValue:
    """Make the house style the default for new orders."""
    here = container()
    with here.database.unit_of_work() as session:
        preset = presets.set_default(session, visitor().account_id, preset_id, here.clock())
    flash(f"New orders start with “{preset.name}”.")
    return redirect(url_for("presets.index"), 303)


@blueprint.get("/<preset_id>/delete")
def confirm_delete(preset_id: str) -> ResponseReturnValue:
    """Ask before the house style is deleted."""
    return render_template("portal/presets/delete.html", preset=_find(preset_id))


@blueprint.post("/<preset_id>/delete")
def delete(preset_id: str) -> ResponseReturnValue:
    """Delete the house style."""
    with container().database.unit_of_work() as session:
        preset = presets.delete(session, visitor().account_id, preset_id)
    flash(f"The house style “{preset.name}” is deleted.")
    return redirect(url_for("presets.index"), 303)


def _find(preset_id: str) -> Preset:
    with container().database.read_session() as session:
        return presets.get(session, visitor().account_id, preset_id)


def _page(form: PresetForm, http_status: int = 200, preset: Preset | None = None) -> ResponseReturnValue:
    groups = {group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType}
    page = render_template(
        "portal/presets/form.html",
        form=form,
        preset=preset,
        groups=groups,
        photo_types=list(PhotoType),
        styles=list(Style),
        max_name=MAX_PRESET_NAME,
        enhancement=Enhancement,
        generative=container().generative is not None,
        barred={},
        price_of_one=price_exterior(1),
        price_of_several=price_exterior(2),
    )
    return page, http_status
