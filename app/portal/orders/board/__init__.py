"""The photo board: from the photos on, the whole order of a property on one page."""

from app.portal.orders.board import effects, files, groups, house_style, placing, selection, show
from app.portal.orders.board.page import blueprint

__all__ = ["blueprint", "effects", "files", "groups", "house_style", "placing", "selection", "show"]
