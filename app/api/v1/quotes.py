"""Quotes: price an order without placing it, and say which part of it can be done if its photos are uploaded."""

from collections.abc import Sequence
from http import HTTPStatus

from flask import Blueprint
from sqlalchemy.orm import Session

from app.api.v1.disclosure_answers import ListingAnswer, answer_disclosures
from app.api.v1.operations import Operation, serve
from app.api.v1.presets import find_preset
from app.api.v1.quote_answers import (
    PossibleAnswer,
    QuoteAnswer,
    QuotedPhotoAnswer,
    answer_forecast,
    answer_lines,
)
from app.api.v1.quote_examples import ANSWER, REQUEST
from app.api.v1.region_answers import RegionsStatus
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.disclosure.listing import warn_of_barred
from app.domain.errors import Conflict, InvalidFields, NotFound
from app.domain.field_errors import Fault
from app.domain.left_out import leave_out
from app.domain.order_rules import read_quote
from app.domain.orders import OrderPhoto
from app.domain.pricing import PricedPhoto, Quote, quote
from app.domain.quote_requests import QuoteRequest
from app.models import UploadSession
from app.services.orders import forecasts, orders, upload_groups, upload_outlooks
from app.services.previews.outlooks import MAX_WAITING, ReadOutlook
from app.services.uploads import uploads
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container

blueprint = Blueprint("quotes_v1", __name__)

_NOTES = (
    "Send the order itself, with `uploadSessionId` and files: each photo has a `forecast` of what its steps would "
    "do, and `possible` is the price without what would be declined. 202 while photos are still being looked at, "
    f"which takes some seconds each. At most {MAX_WAITING} photos of an account wait at a time: ask again for the "
    "others. Counts in place of files give the price alone. Nothing is charged."
)


def _status(answer: WireAnswer) -> int:
    photos = answer.photos if isinstance(answer, QuoteAnswer) else ()
    pending = any(each.forecast and each.forecast.status is RegionsStatus.PENDING for each in photos)
    return HTTPStatus.ACCEPTED if pending else HTTPStatus.OK


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/quote",
        scope=Scope.ORDERS_WRITE,
        summary="Price an order without placing it",
        body=QuoteRequest,
        example=REQUEST,
        answer=QuoteAnswer,
        answer_example=ANSWER,
        refusals=(Conflict,),
        status_of=_status,
        other_statuses={202: "Photos are still being looked at."},
        notes=_NOTES,
    ),
)
def quote_order() -> QuoteAnswer:
    """The itemized price that the order would be charged."""
    content = json_object()
    wanted = read_quote(content, container().imagery is not None, find_preset(content, content))
    idempotency.begin(content)
    photos, listing = wanted.photos(), wanted.listing_at(wanted.address)
    here = container()
    with here.database.read_session() as session:
        orders.require_engine(session, actor().account_id, wanted, here.clock())
    found: Sequence[ReadOutlook | None] = (
        _read_outlooks(wanted, photos) if wanted.has_files else [None] * len(photos)
    )
    price = quote([photo.priced for photo in photos])
    steps = (each for photo in photos for each in photo.edit_request.steps)
    return QuoteAnswer(
        credit_cost=price.credits,
        lines=answer_lines(price),
        warnings=[*price.warnings, *warn_of_barred(listing, steps)],
        listing=ListingAnswer.model_validate(listing),
        photos=[
            QuotedPhotoAnswer(
                type=photo.type,
                index=photo.index,
                disclosures=answer_disclosures(listing, photo.edit_request.steps),
                forecast=answer_forecast(row),
            )
            for photo, row in zip(photos, found, strict=True)
        ],
        possible=_answer_possible(_price_possible(photos, found)) if wanted.has_files else None,
    )


def _read_outlooks(wanted: QuoteRequest, photos: Sequence[OrderPhoto]) -> Sequence[ReadOutlook | None]:
    """The outlooks of the uploaded photos, requested from workers where they are missing. Raises InvalidFields as
    for an order, and Conflict where the files were ordered before.
    """
    if not wanted.has_files:
        return [None] * len(photos)
    here, account_id, session_id = container(), actor().account_id, wanted.upload_session_id or ""
    with here.database.read_session() as session:
        _find_upload_session(session, account_id, session_id)
    named = orders.list_named_files(wanted)
    refused = here.bucket_intake.take_in(account_id, session_id, named.values())
    if refused:
        raise InvalidFields(Fault(where, refused[key]) for where, key in named.items() if key in refused)
    found = uploads.stat_files(here.storage, session_id, named.values())
    with here.database.unit_of_work() as session:
        upload_session = _find_upload_session(session, account_id, session_id)
        orders.check_files(session, wanted, upload_session, found)
        return upload_outlooks.read_all(session, account_id, session_id, photos, found, here.clock())


def _find_upload_session(session: Session, account_id: str, session_id: str) -> UploadSession:
    try:
        return upload_groups.get_open(session, account_id, session_id)
    except NotFound:
        raise InvalidFields([orders.NO_UPLOAD_SESSION]) from None


def _price_possible(photos: Sequence[OrderPhoto], found: Sequence[ReadOutlook | None]) -> Quote:
    """The price without steps and changes that would be declined."""
    unlikely = [forecasts.find_unlikely(forecasts.read((row and row.steps) or ())) for row in found]
    requests = [leave_out(photo.edit_request, each) for photo, each in zip(photos, unlikely, strict=True)]
    return quote([PricedPhoto(photo.type, each) for photo, each in zip(photos, requests, strict=True)])


def _answer_possible(price: Quote) -> PossibleAnswer:
    return PossibleAnswer(credit_cost=price.credits, lines=answer_lines(price))
