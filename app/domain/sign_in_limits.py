"""Limits for sign-ins and other proofs of identity: tries per hour, waits between tries, how long a proof is
valid.
"""

from dataclasses import dataclass
from datetime import timedelta
from math import inf

PROOF_VALID_FOR = timedelta(hours=2)
"""How long after the password was entered sensitive changes do not ask for it again."""
SECOND_STEP_VALID_FOR = timedelta(minutes=5)
"""How long after the password the two-factor code may be entered."""
MAILS_PER_HOUR = 10
"""How many mails may be requested per hour, counted separately for each kind of mail."""
NEW_BROWSERS_PER_HOUR = 10
"""How often per hour one address may try to sign in to one account in browsers that the account does not know."""
CODES_PER_HOUR = 10
"""How many two-factor codes may be tried per hour. Three of a million codes are valid at a time: at this rate,
anyone who knows the password needs about four years to guess one.
"""
TURN_VALID_FOR = timedelta(minutes=5)
"""How long after its wait a browser may still make its try."""
ADDRESSES_PER_NETWORK = 16
"""How many addresses of one network count in full: the network may try an account as often as this many addresses,
because one customer may have thousands.
"""


@dataclass(frozen=True, slots=True)
class SignInStage:
    """The limits for browsers that an account does not know, by the number of their requests within the hour."""

    up_to: float
    """The most requests, by all such browsers together, for which this stage applies."""
    wait_seconds: int
    """The wait before each try. The request that begins the wait is answered at once."""
    max_requests: int
    """The most requests per hour from one address, including those that only begin a wait."""


SIGN_IN_STAGES = (
    SignInStage(up_to=10, wait_seconds=0, max_requests=NEW_BROWSERS_PER_HOUR),
    SignInStage(up_to=100, wait_seconds=4, max_requests=8),
    SignInStage(up_to=inf, wait_seconds=8, max_requests=6),
)
