"""Who pays for the order of a request: its key, within the limit of the agent whose tool made the request."""

from decimal import Decimal

from flask import request

from app.domain.budgets import Payer
from app.web.authentication import actor

MOST_CREDITS = "brightlist.most_credits"
"""Key in the WSGI environ of a request that the MCP server makes for an agent: the most credits that its order may
cost. No header of a client can set it.
"""


def find_payer() -> Payer:
    """The payer of the order of this request."""
    most: Decimal | None = request.environ.get(MOST_CREDITS)
    return Payer(actor().account_id, actor().key_id, for_agent=most is not None, most_credits=most)
