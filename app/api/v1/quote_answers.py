"""The answers about prices: the price of a whole order, and of the part of it that can be done."""

from pydantic import Field

from app.api.v1.answers import CreditsNumber
from app.api.v1.disclosure_answers import ListingAnswer, PhotoDisclosuresAnswer
from app.api.v1.region_answers import RegionsStatus, StepForecastAnswer
from app.domain.api_types import WireAnswer
from app.domain.pricing import Quote
from app.services.previews.outlooks import ReadOutlook
from engine.types.enhancements import Enhancement


class QuoteLineAnswer(WireAnswer):
    """One line of a price."""

    label: str = Field(description="What it is for, for people.")
    enhancement: Enhancement | None = Field(
        default=None, description="What it is for; absent where it is for the property as a whole."
    )
    quantity: int = Field(description="How often.")
    unit_credits: CreditsNumber = Field(description="The price of one.")
    credits: CreditsNumber = Field(description="The price of all of them.")


class PossibleAnswer(WireAnswer):
    """The price of the part of an order that can be done, as far as forecasts are known."""

    credit_cost: CreditsNumber = Field(description="In credits.")
    lines: list[QuoteLineAnswer] = Field(description="How that comes about.")


class PhotoForecastAnswer(WireAnswer):
    """What each step would do to one photo."""

    status: RegionsStatus = Field(
        description="`pending`: ask again in some seconds; `failed`: nothing is known, `message` says why."
    )
    message: str | None = Field(default=None, description="For people; only with `failed`.")
    steps: list[StepForecastAnswer] | None = Field(
        default=None, description="In the order in which they are done; only with `ready`."
    )


class QuotedPhotoAnswer(PhotoDisclosuresAnswer):
    """One photo of a quote."""

    forecast: PhotoForecastAnswer | None = Field(default=None, description="For a photo that is uploaded.")


class QuoteAnswer(WireAnswer):
    """What an order would cost."""

    credit_cost: CreditsNumber = Field(description="What the order would be charged.")
    lines: list[QuoteLineAnswer] = Field(description="How that comes about.")
    warnings: list[str] = Field(
        description="Combinations that make little sense, and what is barred where it is advertised, for people.",
    )
    listing: ListingAnswer
    photos: list[QuotedPhotoAnswer] = Field(description="Each, exterior first.")
    possible: PossibleAnswer | None = Field(
        default=None,
        description="With uploaded photos: the price without steps and changes whose `prospect` is not `likely`. "
        "Photos that are pending count with all their steps.",
    )


def answer_lines(price: Quote) -> list[QuoteLineAnswer]:
    """The lines of the price."""
    return [QuoteLineAnswer.model_validate(line) for line in price.lines]


def answer_forecast(row: ReadOutlook | None) -> PhotoForecastAnswer | None:
    """The answer for an outlook; None where no photo was uploaded."""
    if row is None:
        return None
    if row.steps is not None:
        return PhotoForecastAnswer.model_validate({"status": RegionsStatus.READY, "steps": row.steps})
    if row.is_done:
        return PhotoForecastAnswer(status=RegionsStatus.FAILED, message=row.error)
    return PhotoForecastAnswer(status=RegionsStatus.PENDING)
