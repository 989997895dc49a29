"""The table of all effects, by enhancement."""

from collections.abc import Mapping

from engine.effect import Effect
from engine.effects import (
    declutter,
    flambient_enhancement,
    furniture_removal,
    golden_hour,
    grass_enhancement,
    hdr_enhancement,
    sky_enhancement,
    twilight_conversion,
    virtual_renovation,
    virtual_staging,
)
from engine.types.enhancements import Enhancement

EFFECTS: Mapping[Enhancement, Effect] = {
    effect.enhancement: effect
    for effect in (
        grass_enhancement.EFFECT,
        sky_enhancement.EFFECT,
        golden_hour.EFFECT,
        twilight_conversion.EFFECT,
        declutter.EFFECT,
        furniture_removal.EFFECT,
        virtual_renovation.EFFECT,
        virtual_staging.EFFECT,
        hdr_enhancement.EFFECT,
        flambient_enhancement.EFFECT,
    )
}
