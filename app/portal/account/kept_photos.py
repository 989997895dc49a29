"""Photos that an account keeps longer than usual: how much storage they take, and whether every order is kept."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField

from app.domain.retention import KEPT_MONTHS
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.retention import keeping
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("kept_photos", __name__, url_prefix="/account/kept-photos"))


class KeepAlwaysForm(FlaskForm):
    """Whether every order is kept."""

    always = BooleanField(f"Keep the photos of every order for {KEPT_MONTHS} months")


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """What is kept, and the form with the saved choice."""
    here = container()
    with here.database.read_session() as session:
        use = keeping.read_use(session, visitor().account_id)
    return render_template(
        "portal/account/kept_photos.html",
        form=KeepAlwaysForm(None, data={"always": use.always}),
        use=use,
        limit_bytes=here.keep_quota,
        months=KEPT_MONTHS,
        seconds=here.settings.retention_seconds,
    )


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the choice."""
    form = KeepAlwaysForm()
    here = container()
    with here.database.unit_of_work() as session:
        keeping.keep_always(session, visitor().account_id, bool(form.always.data), here.clock())
    flash("Your choice is saved.")
    return redirect(url_for("kept_photos.edit"), 303)
