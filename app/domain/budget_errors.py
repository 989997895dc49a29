"""The refusals of orders that cost more than an API key or an agent may spend; errors.py lists them with all
others."""

from decimal import Decimal

from app.domain.budgets import KeyBudget
from app.domain.errors import Refusal


class BudgetExceeded(Refusal):
    """The order costs more than is left of the key's budget for this month; nothing was charged.

    `details` says what it costs and what is left. The budget is full again at `resetsAt`. Until then, order less,
    or let the owner of the key raise its budget on the page of the key, and order again with the same upload
    session. The balance of the account does not matter here.
    """

    code = "budget_exceeded"
    error = "Budget exceeded"

    def __init__(self, required: Decimal, budget: KeyBudget) -> None:
        message = "Raise the budget of this API key, or wait for the next month; nothing was charged."
        super().__init__(message, details={"required": required, **budget.as_details()})


class BudgetRequired(Refusal):
    """An agent ordered with an API key that has no budget; nothing was charged.

    Set a budget for each month on the page of the key. Tools of the MCP server spend credits with such keys alone;
    programs may order without one.
    """

    code = "budget_required"
    error = "The key has no budget"

    def __init__(self) -> None:
        super().__init__("Agents order with keys that have a budget: set one on the page of this key.")


class PriceTooHigh(Refusal):
    """The order costs more than the agent was to spend at most; nothing was charged.

    Ask for the price with `quote`, and order with a higher `most_credits` once a person agrees to that, or order
    less.
    """

    code = "price_too_high"
    error = "Price too high"

    def __init__(self, required: Decimal, most_credits: Decimal) -> None:
        message = "The order costs more than most_credits; nothing was charged."
        super().__init__(message, details={"required": required, "mostCredits": most_credits})
