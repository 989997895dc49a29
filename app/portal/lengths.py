"""Lengths on pages."""

from flask import Flask

from app.domain.lengths import METERS_PER_FOOT, write_centimeters_of, write_feet, write_feet_of


def install(app: Flask) -> None:
    """Let every template write lengths."""
    app.jinja_env.globals["meters_per_foot"] = METERS_PER_FOOT
    app.jinja_env.filters.update(feet=write_feet, feet_of=write_feet_of, centimeters_of=write_centimeters_of)
