"""The limits of a team: how many belong to it, how many may be invited, and how long an invitation is valid."""

from datetime import timedelta

MAX_MEMBERS = 50
"""The most members and open invitations of an organization."""
INVITATION_VALID_FOR = timedelta(days=7)
INVITATIONS_A_DAY = 50
"""The most invitations that an organization can send in 24 hours."""
INVITATIONS_TO_ONE_A_DAY = 5
"""The most invitations that one address gets in 24 hours, from all organizations."""
