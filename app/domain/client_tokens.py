"""Client tokens: short permissions for pages of customers' own sites to upload into one upload session."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field, StrictInt, StringConstraints

from app.domain.api_types import Text
from app.domain.order_files import MAX_FILES, MAX_PHOTOS, Count, whole_number
from app.domain.request_limits import Request

LIVE_PREFIX, TEST_PREFIX = "ims_client_", "ims_client_test_"
"""The prefixes of tokens that were made with live keys and with test keys. No API key begins with either."""
MIN_SECONDS, MAX_SECONDS, DEFAULT_SECONDS = 60, 3600, 900
MAX_TOKEN_FILES = 2 * MAX_FILES
"""The most files of one token: as many as one order may have of both types together."""
DEFAULT_FILES = 2 * MAX_PHOTOS
"""The default of a token's `max_files`: as many as one order may have photos, if each photo is one file."""

SessionName = Annotated[Text, StringConstraints(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True)
class ClientToken:
    """What a token permits: asking for upload URLs of one session, which then has `max_files` files at most.

    `key_id`: the key that made it. `opens_session`: the session does not exist before the token is first used.
    """

    key_id: str
    session_id: str
    max_files: int
    opens_session: bool
    livemode: bool


class ClientTokenRequest(Request):
    """How long a token is valid, and for how many files."""

    expires_in: Annotated[StrictInt, Field(ge=MIN_SECONDS, le=MAX_SECONDS), BeforeValidator(whole_number)] = Field(
        default=DEFAULT_SECONDS, description="Seconds for which it is valid."
    )
    max_files: Annotated[StrictInt, Field(ge=1, le=MAX_TOKEN_FILES), BeforeValidator(whole_number)] = Field(
        default=DEFAULT_FILES, description="The most files of its upload session."
    )
    upload_session_id: SessionName | None = Field(
        default=None,
        description="A session to go on with, where an earlier token has expired; without it, a new one.",
        examples=[None],
    )


class ClientUploadRequest(Request):
    """How many files a page is about to upload."""

    interior_count: Count = Field(default=0, description="How many interior photos. At least one of both kinds.")
    exterior_count: Count = Field(default=0, description="How many exterior photos.", examples=[1])


def prefix_of(livemode: bool) -> str:
    """The prefix of tokens of this mode."""
    return LIVE_PREFIX if livemode else TEST_PREFIX
