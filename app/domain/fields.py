"""Types of fields that many answers of the API have, each with an example for the documentation."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from app.domain.api_types import Moment
from app.domain.events import SAMPLE_ADDRESS, SAMPLE_ENGINE_VERSION, SAMPLE_JOB, SAMPLE_REVISION
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA
from app.domain.order_files import SAMPLE_SESSION, sample_path
from engine.types.enhancements import PhotoType

JobId = Annotated[str, Field(examples=[SAMPLE_JOB])]
ImageId = Annotated[str, Field(examples=[SAMPLE_REVISION.image_id])]
PhotoId = Annotated[str, Field(examples=["pho_9aRt5KbYw2VdEj8uGxM3Qc"])]
FilePath = Annotated[str, Field(examples=[sample_path(PhotoType.EXTERIOR, 0)])]
SessionId = Annotated[str, Field(examples=[SAMPLE_SESSION])]
FileName = Annotated[str, Field(examples=["front.jpg"])]
FileUrl = Annotated[str, Field(examples=["https://brightlist.example/files/WyJyZ…"])]
PageUrl = Annotated[str, Field(examples=["https://brightlist.example/o/7Hq2LmXw9RtB"])]
Address = Annotated[str, Field(examples=[SAMPLE_ADDRESS])]
Index = Annotated[int, Field(examples=[0])]
Digest = Annotated[str, Field(examples=["9f2c4e7a1b80d63f5a49c2e8b7106d5f3e94a8c07b1d26f5e83a90c4d7b2165f"])]
AlteredDigest = Annotated[str, Field(examples=["41be07d2c95a8e63f1d04b7a92c68f35e07b1d4a86c3f92e5d70b8a4c1f63e29"])]
EngineVersion = Annotated[str, Field(examples=[SAMPLE_ENGINE_VERSION])]
Caption = Annotated[str, Field(examples=["Digitally altered"])]
RuleId = Annotated[str, Field(examples=["crmls"])]
PersonName = Annotated[str, Field(examples=["Jo Agent"])]
SourceUrl = Annotated[str, Field(examples=["https://kb.crmls.org/?p=10900"])]
FrameDigests = Annotated[
    tuple[str, ...] | None,
    BeforeValidator(lambda found: found or None),
    Field(alias="frameSha256s", description="Of all files that became the photo; absent where it was one."),
]
OwnId = Annotated[
    str | None,
    Field(description="Your own id of the order; absent where you gave none.", examples=[SAMPLE_EXTERNAL_ID]),
]
OwnMetadata = Annotated[
    dict[str, str] | None,
    BeforeValidator(lambda found: found or None),
    Field(description="Your own pairs, as ordered; absent where you gave none.", examples=[SAMPLE_METADATA]),
]
Expiry = Annotated[Moment, Field(examples=["2028-11-09T14:03:27.512Z"])]
