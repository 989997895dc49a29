"""The MCP server: lets an agent price and order photos of folders on this machine, within a budget."""

import threading
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from brightlist.client import Brightlist
from brightlist.errors import BrightlistError, NotDecided
from brightlist.folder_orders import Wish, place, read_wish
from brightlist.resumption import Resumption
from brightlist.version import __version__

INSTRUCTIONS = """Brightlist turns photos of a house into listing-ready pictures. Ask `enhancements` what there is,
`quote` for the price, and the user before you `order`; then ask `status` until it is approved, and save `results`.
One credit is what the catalog prices; only `order` spends any."""
FREE = ToolAnnotations(read_only_hint=True, open_world_hint=False)
SAVES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
SPENDS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
STATUS_SECONDS = 20
Given = ParamSpec("Given")
Result = TypeVar("Result")


class OverBudget(BrightlistError):
    """The order costs more than is left of the budget, or than was agreed."""


class Budget:
    """The credits that the process may still spend; threads may share it."""

    def __init__(self, credits: float) -> None:
        self._left = _exact(credits)
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """How many may still be spent."""
        return float(self._left)

    def spend(self, credits: float) -> None:
        """Take credits. Raises OverBudget where not so many are left."""
        with self._lock:
            if _exact(credits) > self._left:
                raise OverBudget(f"It costs {credits:g} credits, and {self.left:g} are left of the budget.")
            self._left -= _exact(credits)

    def give_back(self, credits: float) -> None:
        """What was taken was not spent."""
        with self._lock:
            self._left += _exact(credits)


def _exact(credits: float) -> Decimal:
    return Decimal(str(credits))


def make_server(client: Brightlist, root: Path, credits: float) -> MCPServer:
    """The server for one account. Folders must lie in `root`; orders cost no more than `credits` together."""
    server = MCPServer("brightlist", instructions=INSTRUCTIONS, version=__version__)
    desk = _Desk(client, root.resolve(), Budget(credits))
    for call, annotations in (
        (desk.credits, FREE),
        (desk.enhancements, FREE),
        (desk.rules, FREE),
        (desk.quote, FREE),
        (desk.order, SPENDS),
        (desk.status, FREE),
        (desk.results, SAVES),
    ):
        server.add_tool(_tell_refusals(call), annotations=annotations)
    return server


def _tell_refusals(call: Callable[Given, Result]) -> Callable[Given, Result]:
    """The call with its refusals in words, which the agent reads."""

    @wraps(call)
    def tell(*given: Given.args, **named: Given.kwargs) -> Result:
        try:
            return call(*given, **named)
        except BrightlistError as error:
            raise ToolError(str(error)) from error

    return tell


class _Desk:
    """The tools. Their docstrings are what agents read of them."""

    def __init__(self, client: Brightlist, root: Path, budget: Budget) -> None:
        self._client, self._root, self._budget = client, root, budget
        self._unanswered: dict[str | None, float] = {}

    def credits(self) -> dict[str, Any]:
        """The balance of the account, and what this server may still spend of it. Free."""
        return {"credits": self._client.credits.show_credits().credits, "budgetLeft": self._budget.left}

    def enhancements(self) -> dict[str, Any]:
        """What can be ordered, with the price of each in credits. Free."""
        found = self._client.catalog.show_catalog()
        return {name: found.raw[name] for name in ("enhancements", "exteriorPrice", "suggested", "exclusive")}

    def rules(self, rule_id: str | None = None) -> dict[str, Any]:
        """The rules of laws and listing services on altered pictures: all by id and name, or one of them whole.
        Free.
        """
        if rule_id is not None:
            return dict(self._client.disclosure.show_rule(rule_id).raw)
        found = self._client.disclosure.list_all_rules().rules
        return {"rules": [{"id": each.id, "name": each.name} for each in found]}

    def quote(
        self,
        folder: str,
        address: str,
        enhancements: list[str],
        photo_type: str | None = None,
        preset: str | None = None,
    ) -> dict[str, Any]:
        """The price of an order of all photos in a folder. Free, and nothing is uploaded.

        photo_type: interior or exterior, where the enhancements do not tell; photos of both kinds lie in subfolders
        of these names. preset: the name of a preset of the account, in place of enhancements.
        """
        _, wish = self._read(folder, address, enhancements, photo_type, preset)
        return {**wish.quote(self._client).raw, "budgetLeft": self._budget.left}

    def order(
        self,
        folder: str,
        address: str,
        enhancements: list[str],
        most_credits: float,
        photo_type: str | None = None,
        preset: str | None = None,
    ) -> dict[str, Any]:
        """Order all photos in a folder. COSTS CREDITS, as many as `quote` says for the same arguments.

        Ask the user before. Refused without a charge where it costs more than most_credits, or than is left of this
        server's budget. A folder is ordered once: repeated with the same arguments, it gives the same job.
        """
        path, wish = self._read(folder, address, enhancements, photo_type, preset)
        resumed = Resumption.of(path, wish.photos, wish.fields, self._client.transport)
        if resumed.job_id is None:
            self._place(wish, resumed, most_credits)
        found = self._client.jobs.show_job(resumed.job_id or "")
        return {"jobId": found.job_id, "status": found.status, "creditCost": found.credit_cost, **self._left()}

    def status(self, job_id: str) -> dict[str, Any]:
        """Where a job stands, with what became of each photo and why. Free; the answer comes within 20 seconds,
        sooner once the job is decided.
        """
        with suppress(NotDecided):
            self._client.jobs.wait(job_id, STATUS_SECONDS)
        return dict(self._client.jobs.show_job(job_id).raw)

    def results(self, job_id: str, output: str) -> dict[str, Any]:
        """Save the pictures of an approved job in a folder. Free; it marks the job as delivered."""
        files = self._client.downloads.save(job_id, self._find(output))
        return {"files": [str(each) for each in files]}

    def _left(self) -> dict[str, float]:
        return {"budgetLeft": self._budget.left}

    def _place(self, wish: Wish, resumed: Resumption, most: float) -> None:
        cost = self._unanswered.pop(resumed.order_key, 0.0)

        def take(price: float) -> None:
            nonlocal cost
            if price > most:
                raise OverBudget(f"It costs {price:g} credits, more than {most:g}.")
            self._budget.spend(price)
            cost = price

        if resumed.order is not None and not cost:
            take(resumed.agreed_cost or 0)
        try:
            place(self._client, wish, resumed, lambda quote: take(quote.credit_cost))
        except Exception:
            if resumed.order is None:
                self._budget.give_back(cost)
            else:
                # Without an answer it may have been charged, so it counts until there is one.
                self._unanswered[resumed.order_key] = cost
            raise

    def _read(
        self, folder: str, address: str, enhancements: list[str], photo_type: str | None, preset: str | None
    ) -> tuple[Path, Wish]:
        path = self._find(folder)
        return path, read_wish(self._client, path, enhancements, preset, photo_type, address=address)

    def _find(self, folder: str) -> Path:
        path = (self._root / folder).resolve()
        if not path.is_relative_to(self._root):
            raise BrightlistError(f"{folder} is not in {self._root}.")
        return path
