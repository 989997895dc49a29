"""The hours of the day as steps."""

from app.engine.outside.golden_hour import golden_hour
from app.engine.outside.twilight import twilight

__all__ = ["golden_hour", "twilight"]
