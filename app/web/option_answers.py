"""What answers tell of the options that were chosen, the same for programs and in documents on the pages."""

from pydantic import Field

from app.domain.options import Brightness, DuskKind, LawnLook, SkyKind
from app.domain.wire import WireAnswer


class OptionsAnswer(WireAnswer):
    """The options that were chosen; absent ones keep the usual look."""

    sky: SkyKind | None = Field(default=None, description="For sky_enhancement.")
    dusk: DuskKind | None = Field(default=None, description="For twilight_conversion.")
    lawn: LawnLook | None = Field(default=None, description="For grass_enhancement.")
    brightness: Brightness | None = Field(
        default=None, description="For hdr_enhancement and flambient_enhancement."
    )
