"""The page behind the link mailed to a new address. It works without being signed in with this browser."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.portal.page_blueprint import PageBlueprint
from app.portal.security import mailed_links
from app.services.security import email_changes
from app.web.context import container

blueprint = PageBlueprint("new_address", __name__, url_prefix="/new-address")
mailed_links.explain_dead_links(blueprint, "account.email", "Change the address again")


@blueprint.get("/<secret>")
def confirm(secret: str) -> ResponseReturnValue:
    """Show a button that confirms the address. Opening the link is not enough, as for signing up, because programs
    that scan mail open links but press no buttons.
    """
    here = container()
    with here.database.read_session() as session:
        email = email_changes.check(session, secret, here.clock())
    return render_template("portal/account/new_address.html", email=email)


@blueprint.post("/<secret>")
def confirmed(secret: str) -> ResponseReturnValue:
    """Change the account's address to the new one."""
    here = container()
    with here.database.unit_of_work() as session:
        email = email_changes.finish(session, secret, here.clock())
    flash(f"Your e-mail address is {email} from now on.")
    return redirect(url_for("account.show"), 303)
