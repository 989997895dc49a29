"""The team: members and their roles, invitations, what each did, and changing between accounts."""

from app.portal.team import accepting, leaving, members, page, what_was_done

BLUEPRINTS = (page.blueprint, accepting.blueprint, what_was_done.blueprint)
MODULES = (leaving, members)
"""Their views belong to the blueprint of the page."""
