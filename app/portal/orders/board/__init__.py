"""The photo board: the order of a property on one page, after the wizard's page for the address."""

from app.portal.orders.board import (
    effects,
    files,
    forecasts,
    groups,
    house_style,
    placing,
    selection,
    service,
    show,
)
from app.portal.orders.board.page import blueprint

__all__ = [
    "blueprint",
    "effects",
    "files",
    "forecasts",
    "groups",
    "house_style",
    "placing",
    "selection",
    "service",
    "show",
]
