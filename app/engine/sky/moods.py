"""The skies of the hours of the day: noon, golden hour, dusk."""

from app.engine.sky.atmosphere import Air, Stop
from app.engine.sky.clouds import Mood

_HAZE = (0.015, 0.075, 0.11)
_THIN_HAZE = (-0.008, 0.018, 0.032)
_CLEAR = (-0.016, 0.0, 0.0)

DAY = Mood(
    air=Air(
        sun_elevation=42,
        sun_aside=130,
        turbidity=2.3,
        exposure=0.043,
        vividness=1.4,
        stops=(Stop(0, _HAZE, _HAZE), Stop(9, _THIN_HAZE, _THIN_HAZE), Stop(25, _CLEAR, _CLEAR)),
    ),
    cover=0.26,
    cirrus=0.35,
    cirrus_light=(0.80, 0.83, 0.86),
    sunlight=(0.86, 0.84, 0.80),
    skylight=(0.27, 0.31, 0.37),
    ground_light=(0.15, 0.15, 0.14),
)
GOLDEN = Mood(
    air=Air(
        sun_elevation=7,
        sun_aside=44,
        halo=(0.42, 0.24, 0.09),
        disc=(20.0, 16.0, 10.0),
        stops=(
            Stop(0, (1.10, 0.52, 0.17), (0.70, 0.42, 0.26)),
            Stop(6, (0.96, 0.57, 0.27), (0.56, 0.42, 0.37)),
            Stop(12, (0.62, 0.50, 0.40), (0.30, 0.34, 0.43)),
            Stop(20, (0.27, 0.36, 0.50), (0.14, 0.25, 0.44)),
            Stop(38, (0.08, 0.20, 0.45), (0.06, 0.16, 0.39)),
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
        sun_aside=68,
        stops=(
            Stop(0, (0.63, 0.315, 0.18), (0.24, 0.21, 0.36)),
            Stop(5.3, (0.47, 0.305, 0.285), (0.17, 0.21, 0.425)),
            Stop(9.5, (0.24, 0.255, 0.41), (0.085, 0.16, 0.435)),
            Stop(16, (0.068, 0.167, 0.47), (0.030, 0.11, 0.40)),
            Stop(32, (0.010, 0.062, 0.275), (0.008, 0.052, 0.235)),
        ),
    ),
    cover=0.07,
    cirrus=0.4,
    cirrus_light=(0.24, 0.11, 0.11),
    sunlight=(0.16, 0.075, 0.07),
    skylight=(0.024, 0.038, 0.080),
    ground_light=(0.004, 0.006, 0.012),
)
