"""The skies for noon, golden hour and dusk, one for each kind that customers can choose."""

from collections.abc import Mapping
from dataclasses import replace

from engine.sky.atmosphere import Air, ColorStop
from engine.sky.clouds import Mood
from engine.types.options import DuskKind, SkyKind

_HAZE = (0.015, 0.075, 0.11)
_THIN_HAZE = (-0.008, 0.018, 0.032)
_CLEAR = (-0.016, 0.0, 0.0)

DAY = Mood(
    air=Air(
        sun_elevation=42,
        sun_azimuth=130,
        turbidity=2.3,
        exposure=0.043,
        vividness=1.4,
        stops=(ColorStop(0, _HAZE, _HAZE), ColorStop(9, _THIN_HAZE, _THIN_HAZE), ColorStop(25, _CLEAR, _CLEAR)),
    ),
    cover=0.26,
    cirrus=0.35,
    cirrus_light=(0.80, 0.83, 0.86),
    sunlight=(0.86, 0.84, 0.80),
    skylight=(0.27, 0.31, 0.37),
    ground_light=(0.15, 0.15, 0.14),
)
CLEAR_DAY = replace(DAY, cover=0.0, cirrus=0.0)
# An afternoon: as blue as DAY overhead, paler and warmer towards the horizon, with warmer sunlight on the clouds.
WARM_DAY = replace(
    DAY,
    air=replace(
        DAY.air,
        sun_azimuth=100,
        vividness=1.25,
        stops=(
            ColorStop(0, (0.34, 0.19, 0.02), (0.26, 0.16, 0.03)),
            ColorStop(8, (0.20, 0.12, 0.02), (0.15, 0.10, 0.03)),
            ColorStop(18, (0.07, 0.05, 0.02), (0.045, 0.04, 0.02)),
            ColorStop(34, _CLEAR, _CLEAR),
        ),
    ),
    cover=0.16,
    cirrus=0.6,
    cirrus_light=(0.95, 0.83, 0.72),
    sunlight=(0.98, 0.82, 0.62),
    skylight=(0.30, 0.30, 0.34),
    ground_light=(0.17, 0.14, 0.11),
)
SKIES: Mapping[SkyKind, Mood] = {
    SkyKind.CLEAR: CLEAR_DAY,
    SkyKind.LIGHT_CLOUDS: DAY,
    SkyKind.WARM: WARM_DAY,
}
# The sun is beside the view, so that its light falls on the things in the picture.
GOLDEN = Mood(
    air=Air(
        sun_elevation=7,
        sun_azimuth=75,
        halo=(0.30, 0.17, 0.06),
        stops=(
            ColorStop(0, (1.02, 0.61, 0.32), (0.74, 0.53, 0.42)),
            ColorStop(5, (0.98, 0.66, 0.41), (0.62, 0.52, 0.50)),
            ColorStop(11, (0.72, 0.61, 0.52), (0.40, 0.44, 0.53)),
            ColorStop(18, (0.40, 0.48, 0.59), (0.21, 0.34, 0.57)),
            ColorStop(32, (0.11, 0.26, 0.53), (0.08, 0.20, 0.48)),
        ),
    ),
    cover=0.0,
    cirrus=0.65,
    cirrus_light=(0.95, 0.60, 0.46),
    sunlight=(1.1, 0.74, 0.46),
    skylight=(0.30, 0.29, 0.34),
    ground_light=(0.12, 0.08, 0.06),
)
DUSK = Mood(
    air=Air(
        sun_elevation=-5,
        sun_azimuth=68,
        stops=(
            ColorStop(0, (0.63, 0.315, 0.18), (0.24, 0.21, 0.36)),
            ColorStop(5.3, (0.47, 0.305, 0.285), (0.17, 0.21, 0.425)),
            ColorStop(9.5, (0.24, 0.255, 0.41), (0.085, 0.16, 0.435)),
            ColorStop(16, (0.068, 0.167, 0.47), (0.030, 0.11, 0.40)),
            ColorStop(32, (0.010, 0.062, 0.275), (0.008, 0.052, 0.235)),
        ),
    ),
    cover=0.0,
    cirrus=0.7,
    cirrus_light=(0.24, 0.11, 0.11),
    sunlight=(0.16, 0.075, 0.07),
    skylight=(0.024, 0.038, 0.080),
    ground_light=(0.004, 0.006, 0.012),
)
# A quarter of an hour after sunset: the same layers as DUSK, lighter and less blue.
EARLY_DUSK = Mood(
    air=Air(
        sun_elevation=-3,
        sun_azimuth=68,
        stops=(
            ColorStop(0, (0.98, 0.50, 0.24), (0.46, 0.34, 0.46)),
            ColorStop(5.3, (0.80, 0.48, 0.36), (0.34, 0.34, 0.54)),
            ColorStop(9.5, (0.47, 0.41, 0.53), (0.20, 0.28, 0.55)),
            ColorStop(16, (0.17, 0.28, 0.57), (0.10, 0.21, 0.52)),
            ColorStop(32, (0.04, 0.13, 0.41), (0.03, 0.115, 0.37)),
        ),
    ),
    cover=0.0,
    cirrus=0.8,
    cirrus_light=(0.66, 0.32, 0.27),
    sunlight=(0.42, 0.22, 0.18),
    skylight=(0.07, 0.085, 0.14),
    ground_light=(0.015, 0.018, 0.028),
)
DUSKS: Mapping[DuskKind, Mood] = {DuskKind.EARLY: EARLY_DUSK, DuskKind.DEEP: DUSK}
