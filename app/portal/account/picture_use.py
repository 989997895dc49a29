"""The owner's consent to the use of pictures to improve quality: one checkbox, off at first."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField

from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.accounts import organizations
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("picture_use", __name__, url_prefix="/account/pictures"))


class PictureUseForm(FlaskForm):
    """The owner's consent."""

    agreed = BooleanField("You may use pictures of my orders to improve quality")


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved choice."""
    with container().database.read_session() as session:
        organization = organizations.get(session, visitor().account_id)
    form = PictureUseForm(None, data={"agreed": organization.pictures_agreed_at is not None})
    return render_template("portal/account/picture_use.html", form=form, since=organization.pictures_agreed_at)


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the choice."""
    form, here = PictureUseForm(), container()
    with here.database.unit_of_work() as session:
        organizations.agree_on_pictures(session, visitor().account_id, bool(form.agreed.data), here.clock())
    flash("Your choice is saved.")
    return redirect(url_for("picture_use.edit"), 303)
