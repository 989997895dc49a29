"""A form that was sent after its user's sign-in had ended: only that user sees it and can send it again."""

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.portal.page_blueprint import PageBlueprint
from app.portal.typed_labels import describe_typed
from app.portal.visitors import NEXT, choose_target, for_signed_in, visitor
from app.services.security import kept_forms
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("typed", __name__, url_prefix="/typed"))


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The form as it was sent, with a button that sends it again; viewing the page sends nothing."""
    here, who, back = container(), visitor(), choose_target(request.args.get(NEXT))
    with here.database.read_session() as session:
        form = kept_forms.find(session, here.vault, who.user_id, who.account_id, here.clock())
    if form is None:
        return redirect(back, 303)
    typed = describe_typed(form.fields)
    return render_template("portal/security/typed.html", form=form, typed=typed, back=back)


@blueprint.post("/discard")
def discard() -> ResponseReturnValue:
    """Delete the kept form, and go on to the page it was typed on."""
    with container().database.unit_of_work() as session:
        kept_forms.discard(session, visitor().user_id)
    return redirect(choose_target(request.form.get("back")), 303)
