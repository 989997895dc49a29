"""The limits of proving who one is: tries within an hour, waits before them, and how long a proof holds."""

from dataclasses import dataclass
from datetime import timedelta
from math import inf

PROOF_HOLDS = timedelta(hours=2)
"""So long after the password was given, changes that must be proved ask for it no more."""
SECOND_STEP_HOLDS = timedelta(minutes=5)
"""So long may the one-time code follow the password."""
MAILS_PER_HOUR = 10
"""So many mails an hour may be asked for, of each kind on its own."""
NEW_BROWSERS_PER_HOUR = 10
"""So often an hour may one address try to sign in to one account that does not know the browser."""
CODES_PER_HOUR = 10
"""Six digits, three of a million right at a time: anyone who knows the password guesses one in four years or so."""
TURN_HOLDS = timedelta(minutes=5)
"""So long after its wait a browser may still take its turn."""
ADDRESSES_PER_NETWORK = 16
"""A network may try an account as often as so many of its addresses: one customer may hold thousands of them."""


@dataclass(frozen=True, slots=True)
class SignInStage:
    """What holds for browsers that an account does not know, up to so many requests of theirs within the hour."""

    up_to: float
    wait_seconds: int
    """Before each try; the request that asks for it is answered at once."""
    most: int
    """Requests an hour from one address, those that only ask for a turn counted too."""


SIGN_IN_STAGES = (
    SignInStage(up_to=10, wait_seconds=0, most=NEW_BROWSERS_PER_HOUR),
    SignInStage(up_to=100, wait_seconds=4, most=8),
    SignInStage(up_to=inf, wait_seconds=8, most=6),
)
