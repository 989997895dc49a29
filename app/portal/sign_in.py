"""Signing in and out."""

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import EmailField, PasswordField
from wtforms.validators import InputRequired

from app.portal import visitors
from app.portal.visitors import NEXT, way_back
from app.services import accounts
from app.web.context import container

blueprint = Blueprint("sign_in", __name__)

WRONG = "The e-mail address or the password is not right."


class SignInForm(FlaskForm):
    """Who they are."""

    email = EmailField("E-mail address", [InputRequired("Enter your e-mail address.")])
    password = PasswordField("Password", [InputRequired("Enter your password.")])


@blueprint.get("/sign-in")
def new() -> ResponseReturnValue:
    """The form; whoever is signed in is where they want to be."""
    if visitors.somebody() is not None:
        return redirect(way_back(request.args.get(NEXT)), 303)
    return render_template("portal/sign_in/new.html", form=SignInForm())


@blueprint.post("/sign-in")
def create() -> ResponseReturnValue:
    """Sign in, and go on to where they were going."""
    form = SignInForm()
    if form.validate():
        with container().database.reading() as session:
            account = accounts.authenticate(session, form.email.data or "", form.password.data or "")
        if account is not None and account.confirmed_at is not None:
            visitors.sign_in(account.id)
            return redirect(way_back(request.args.get(NEXT)), 303)
        form.form_errors.append(WRONG)
    return render_template("portal/sign_in/new.html", form=form), 422


@blueprint.post("/sign-out")
def delete() -> ResponseReturnValue:
    """Sign this browser out."""
    visitors.sign_out()
    return redirect(url_for("sign_in.new"), 303)
