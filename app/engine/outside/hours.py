"""The hours of the day as skies: what `with_sky` puts over a photo."""

from app.engine.outside.atmosphere import Air, Stop
from app.engine.outside.clouds import Mood

_HAZE = (-0.03, 0.14, 0.12)
_THIN_HAZE = (-0.01, 0.05, 0.045)
_NONE = (0.0, 0.0, 0.0)

DAY = Mood(
    air=Air(
        sun_elevation=42,
        sun_aside=115,
        turbidity=2.3,
        exposure=0.043,
        vividness=1.2,
        stops=(Stop(0, _HAZE, _HAZE), Stop(9, _THIN_HAZE, _THIN_HAZE), Stop(25, _NONE, _NONE)),
    ),
    cover=0.28,
    cirrus=0.35,
    cirrus_light=(0.80, 0.83, 0.86),
    sunlight=(0.88, 0.86, 0.82),
    skylight=(0.28, 0.32, 0.38),
    ground_light=(0.16, 0.16, 0.15),
)
GOLDEN = Mood(
    air=Air(
        sun_elevation=7,
        sun_aside=44,
        stops=(
            Stop(0, (1.05, 0.62, 0.22), (0.66, 0.44, 0.30)),
            Stop(6, (0.95, 0.64, 0.32), (0.54, 0.44, 0.39)),
            Stop(13, (0.62, 0.55, 0.42), (0.30, 0.36, 0.44)),
            Stop(22, (0.31, 0.41, 0.50), (0.16, 0.27, 0.44)),
            Stop(40, (0.11, 0.23, 0.44), (0.08, 0.18, 0.38)),
        ),
    ),
    cover=0.22,
    cirrus=0.55,
    cirrus_light=(0.95, 0.66, 0.44),
    sunlight=(1.1, 0.68, 0.34),
    skylight=(0.19, 0.19, 0.24),
    ground_light=(0.12, 0.08, 0.06),
)
DUSK = Mood(
    air=Air(
        sun_elevation=-5,
        sun_aside=38,
        stops=(
            Stop(0, (0.95, 0.36, 0.09), (0.22, 0.15, 0.21)),
            Stop(5, (0.72, 0.34, 0.17), (0.17, 0.14, 0.23)),
            Stop(10, (0.36, 0.25, 0.24), (0.085, 0.105, 0.22)),
            Stop(17, (0.12, 0.16, 0.27), (0.035, 0.075, 0.19)),
            Stop(32, (0.022, 0.060, 0.17), (0.012, 0.040, 0.125)),
        ),
    ),
    cover=0.12,
    cirrus=0.6,
    cirrus_light=(0.24, 0.11, 0.11),
    sunlight=(0.13, 0.062, 0.060),
    skylight=(0.024, 0.038, 0.080),
    ground_light=(0.004, 0.006, 0.012),
)
