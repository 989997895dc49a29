"""The catalog: every enhancement with its price and options, what an order may hold, and what is allowed."""

from flask import Blueprint
from pydantic import Field

from app.api.v1.answers import CreditsNumber
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Moment, WireAnswer
from app.domain.catalog import ENTRIES, EXCLUSIVE, SUGGESTED_COMBINATIONS, ServiceType
from app.domain.engines import EngineChannel
from app.domain.fields import EngineVersion
from app.domain.limits import MAX_FILE_BYTES
from app.domain.order_files import MAX_PHOTOS
from app.domain.orders import MIN_DESCRIPTION
from app.domain.presets import MAX_PRESETS
from app.domain.pricing import price_outside
from app.domain.retention import find_length
from app.domain.webhooks import MAX_WEBHOOKS
from app.services import engines
from app.web.authentication import actor
from app.web.context import container
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, RoomType, Style
from engine.types.options import Option
from engine.types.photo_limits import MAX_FRAMES
from engine.types.usable_options import list_usable_options

blueprint = Blueprint("catalog_v1", __name__)


class OptionValueAnswer(WireAnswer):
    """A value of an option."""

    value: str = Field(description="As orders name it.", examples=["clear"])
    label: str = Field(description="For people.", examples=["Clear"])
    description: str = Field(description="What it does, for people.", examples=["Blue, with thin veils at most."])


class OptionAnswer(WireAnswer):
    """An option of enhancements."""

    name: str = Field(description="Its field in `options`.", examples=["sky"])
    label: str = Field(description="For people.", examples=["Sky"])
    default: str = Field(examples=["light_clouds"])
    values: list[OptionValueAnswer] = Field(description="All that are allowed.")


class EnhancementAnswer(WireAnswer):
    """An enhancement as it is sold."""

    id: Enhancement = Field(description="As orders name it.", examples=[Enhancement.SKY])
    group: PhotoType = Field(description="The photos that it is for.")
    label: str = Field(description="For people.", examples=["Blue sky"])
    description: str = Field(description="What it does, for people.", examples=["Replaces an overcast sky."])
    credits_per_photo: CreditsNumber = Field(
        description="0 for those whose price is in `exteriorPrice`; a renovation costs it for each change.",
        examples=[0],
    )
    extra_credits_per_property: CreditsNumber = Field(
        description="Added once to `exteriorPrice`, however many photos get it.", examples=[0]
    )
    options: list[OptionAnswer] = Field(description="Those that choose its look.")
    warning: str | None = Field(
        default=None, description="What to know before paying, for people; absent where there is nothing."
    )


class ExteriorPriceAnswer(WireAnswer):
    """The price of exterior enhancements: once for all exterior photos of an order."""

    one: CreditsNumber = Field(description="In credits, of one enhancement.", examples=[1])
    two_or_more: CreditsNumber = Field(description="In credits, of two or more distinct ones.", examples=[2])


class LimitsAnswer(WireAnswer):
    """Limits: the most that is allowed, where a field does not say otherwise."""

    photos_per_type: int = Field(description="Interior or exterior photos of one order.", examples=[50])
    frames_per_photo: int = Field(description="Files that are merged into one photo.", examples=[9])
    bytes_per_file: int = Field(examples=[52428800])
    min_change_description: int = Field(description="Characters, at least.", examples=[10])
    presets: int = Field(description="Of the account.", examples=[50])
    webhooks: int = Field(description="Of the account.", examples=[20])
    upload_url_seconds: int = Field(description="How long upload URLs are valid.", examples=[3600])
    download_url_seconds: int = Field(description="How long download URLs are valid.", examples=[86400])
    retention_seconds: int = Field(
        description="How long pictures are kept after their job is settled.", examples=[604800]
    )
    reads_per_minute: int = Field(description="GET requests with one key.", examples=[600])
    writes_per_minute: int = Field(description="Other requests with one key.", examples=[120])


class NextEngineAnswer(WireAnswer):
    """The engine that is announced as the next one."""

    version: EngineVersion
    starts_at: Moment = Field(description="Orders placed from then on get it.")


class EngineAnswer(WireAnswer):
    """The engine that makes the account's pictures."""

    channel: EngineChannel = Field(
        description="`latest`: each release as it comes. `stable`: another one only after owners of the account "
        "were told by mail.",
        examples=[EngineChannel.STABLE],
    )
    version: EngineVersion = Field(description="Of the pictures of an order that is placed now.")
    next: NextEngineAnswer | None = Field(default=None, description="Absent where none is announced.")


class CatalogAnswer(WireAnswer):
    """Everything that can be ordered."""

    enhancements: list[EnhancementAnswer] = Field(description="In the order in which they are applied.")
    exterior_price: ExteriorPriceAnswer
    service_types: list[ServiceType]
    suggested: list[list[Enhancement]] = Field(description="Combinations that work well.")
    exclusive: list[Enhancement] = Field(description="Of these a photo shows one: the last applied.")
    styles: list[Style] = Field(description="Of virtual staging.")
    room_types: list[RoomType] = Field(description="Of virtual staging.")
    change_types: list[ChangeType] = Field(description="Of virtual renovation.")
    limits: LimitsAnswer
    engine: EngineAnswer


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/catalog",
        scope=Scope.ORDERS_WRITE,
        summary="Read what can be ordered, at which price",
        answer=CatalogAnswer,
        cacheable=True,
        notes="It changes with releases, with settings, and when owners of the account choose another engine. Keep "
        "it, and send its `ETag` as `If-None-Match` to ask whether it is still the same. Quotes and orders are "
        "charged by the same catalog.",
    ),
)
def show_catalog() -> CatalogAnswer:
    """The catalog."""
    here = container()
    settings = here.settings
    with here.database.read_session() as session:
        chosen = engines.read_choice(session, actor().account_id, here.clock())
    kept = find_length(settings.retention_seconds, livemode=actor().livemode)
    return CatalogAnswer(
        enhancements=_list_enhancements(generative=settings.generative_url is not None),
        exterior_price=ExteriorPriceAnswer(
            one=price_outside([Enhancement.SKY]), two_or_more=price_outside([Enhancement.SKY, Enhancement.GRASS])
        ),
        service_types=list(ServiceType),
        suggested=[list(each) for each in SUGGESTED_COMBINATIONS if len(each) > 1],
        exclusive=list(EXCLUSIVE),
        styles=list(Style),
        room_types=list(RoomType),
        change_types=list(ChangeType),
        limits=LimitsAnswer(
            photos_per_type=MAX_PHOTOS,
            frames_per_photo=MAX_FRAMES,
            bytes_per_file=MAX_FILE_BYTES,
            min_change_description=MIN_DESCRIPTION,
            presets=MAX_PRESETS,
            webhooks=MAX_WEBHOOKS,
            upload_url_seconds=settings.upload_url_seconds,
            download_url_seconds=settings.download_url_seconds,
            retention_seconds=int(kept.total_seconds()),
            reads_per_minute=settings.rate_limit_reads,
            writes_per_minute=settings.rate_limit_writes,
        ),
        engine=EngineAnswer.model_validate(chosen),
    )


def _list_enhancements(*, generative: bool) -> list[EnhancementAnswer]:
    return [
        EnhancementAnswer(
            id=entry.id,
            group=entry.group,
            label=entry.label,
            description=entry.effect,
            credits_per_photo=entry.image_price,
            extra_credits_per_property=entry.property_extra,
            options=[_answer_option(each) for each in list_usable_options() if each.is_for([entry.id])],
            warning=entry.warning(generative=generative) or None,
        )
        for entry in ENTRIES.values()
    ]


def _answer_option(option: Option) -> OptionAnswer:
    values = [
        OptionValueAnswer(value=value, label=choice.label, description=choice.effect)
        for value, choice in option.choices.items()
    ]
    return OptionAnswer(name=option.name, label=option.label, default=option.usual, values=values)
