"""The tools of agents: what each takes, which operations of the API it calls, what it costs."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from flask import current_app

from app.api.mcp import orders
from app.api.mcp.arguments import (
    Arguments,
    JobArguments,
    JobsArguments,
    NoArguments,
    OrderArguments,
    QuoteArguments,
    RuleArguments,
)
from app.api.mcp.calls import OperationCall, Refused, Waits
from app.api.mcp.calls import call as call_api
from app.api.v1.operations import OPERATIONS
from app.domain.actors import Scope
from app.web.bodies import read_model
from app.web.parking import MAX_WAIT_SECONDS

INSTRUCTIONS = """Brightlist turns photos of a house into listing-ready pictures. Ask `enhancements` what there is,
`quote` for the price, and the user before you `order`; then ask `status` until the job is approved, and give the
user the links of `results`. One credit is what the catalog prices. Only `order` spends credits, within the monthly
budget of the API key, which `credits` shows. With a test key, `livemode` is false and nothing is charged."""
_CATALOG = ("enhancements", "exteriorPrice", "suggested", "exclusive", "styles", "roomTypes", "changeTypes")


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool. `description` says what it costs. `operations`: the operations of the API that it calls; a key needs
    the scopes of all of them. `changes`: whether it changes anything; `is_destructive`: whether the change cannot
    be undone.
    """

    name: str
    title: str
    description: str
    takes: type[Arguments]
    run: Callable[[Any], dict[str, Any]]
    operations: tuple[str, ...]
    changes: bool = False
    is_destructive: bool = False

    @property
    def scopes(self) -> frozenset[Scope]:
        """The scopes that a key needs to call it."""
        return frozenset(scope for each in self.operations if (scope := OPERATIONS[each].scope))

    def input_schema(self) -> dict[str, Any]:
        """The tool's arguments as a JSON schema without references, which some clients do not follow."""
        schema = self.takes.model_json_schema()
        parts = schema.pop("$defs", {})
        return cast("dict[str, Any]", _inline(schema, parts))


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The outcome of a call: an answer or a refusal of the API."""

    content: Mapping[str, Any]
    is_refused: bool = False


def list_permitted(scopes: Collection[Scope]) -> list[AgentTool]:
    """The tools that a key with these scopes may call."""
    return [tool for tool in TOOLS.values() if tool.scopes <= {*scopes}]


def call(tool: AgentTool, arguments: Mapping[str, Any]) -> ToolOutcome:
    """Call the tool with the key of this request."""
    try:
        return ToolOutcome(tool.run(read_model(tool.takes, arguments)))
    except Refused as refused:
        return ToolOutcome(refused.content, is_refused=True)
    except Waits:
        # The web server drops this answer, and hands the request over again.
        return ToolOutcome({})
    except Exception as error:
        # The error is logged and answered as in the API: the package would send its text to the agent, even SQL.
        answer = current_app.make_response(current_app.handle_user_exception(error))
        return ToolOutcome(answer.get_json(), is_refused=True)


def _show_credits(_given: NoArguments) -> dict[str, Any]:
    return call_api("show_credits")


def _list_enhancements(_given: NoArguments) -> dict[str, Any]:
    found = call_api("show_catalog")
    return {name: found[name] for name in _CATALOG}


def _read_rules(given: RuleArguments) -> dict[str, Any]:
    if given.rule_id is not None:
        return call_api("show_rule", rule_id=given.rule_id)
    found = call_api("list_all_rules")["rules"]
    return {"rules": [{"id": each["id"], "name": each["name"]} for each in found]}


def _show_status(given: JobArguments) -> dict[str, Any]:
    call_api("show_job_status", OperationCall(query=[("wait", str(MAX_WAIT_SECONDS))]), job_id=given.job_id)
    return call_api("show_job", job_id=given.job_id)


def _list_jobs(given: JobsArguments) -> dict[str, Any]:
    single = (("externalId", given.external_id), ("cursor", given.cursor))
    query = [(name, value) for name, value in single if value is not None]
    return call_api("list_jobs", OperationCall(query=[*query, *(("status", each) for each in given.status)]))


def _show_results(given: JobArguments) -> dict[str, Any]:
    return call_api("show_downloads", job_id=given.job_id)


def _cancel(given: JobArguments) -> dict[str, Any]:
    return call_api("cancel_job", job_id=given.job_id)


def _inline(schema: Any, parts: Mapping[str, Any]) -> Any:
    """The schema with each reference replaced by what it refers to, and without the titles of fields."""
    if isinstance(schema, list):
        return [_inline(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    part = parts.get(schema.get("$ref", "").rpartition("/")[2], {})
    whole = {**part, **schema}
    # Only a title that is text comes from pydantic: an argument may be named `title`, too.
    dropped = {"$ref"} | {name for name in ("title",) if isinstance(whole.get(name), str)}
    return {name: _inline(each, parts) for name, each in whole.items() if name not in dropped}


TOOLS: Mapping[str, AgentTool] = {
    tool.name: tool
    for tool in (
        AgentTool(
            "credits",
            "Credits and budget",
            "The balance of the account, and what this key may still spend this month. Free.",
            NoArguments,
            _show_credits,
            ("show_credits",),
        ),
        AgentTool(
            "enhancements",
            "Enhancements and prices",
            "What can be ordered, with the price of each in credits. Free.",
            NoArguments,
            _list_enhancements,
            ("show_catalog",),
        ),
        AgentTool(
            "rules",
            "Rules on altered pictures",
            "What laws and listing services ask of altered pictures: all rules by id and name, or one of them "
            "whole. Free.",
            RuleArguments,
            _read_rules,
            ("list_all_rules", "show_rule"),
        ),
        AgentTool(
            "quote",
            "Price of an order",
            "The price of an order in credits, with warnings and what must be disclosed. Free; nothing is fetched.",
            QuoteArguments,
            orders.quote,
            ("quote_order",),
        ),
        AgentTool(
            "order",
            "Place an order",
            "Order photos. COSTS CREDITS: as many as `quote` says for the same arguments. Ask the user before. "
            "Refused without a charge if it costs more than most_credits or than is left of the key's monthly "
            "budget, and for a key without a budget. Photos are fetched first, which may take several calls with "
            "the same arguments.",
            OrderArguments,
            orders.order,
            ("create_upload_urls", "list_fetches", "create_order_from_uploads"),
            changes=True,
            is_destructive=True,
        ),
        AgentTool(
            "status",
            "Status of a job",
            "Where a job stands, with what became of each photo and why. Free. It answers within "
            f"{MAX_WAIT_SECONDS} seconds, sooner once the job is decided; until then, ask again.",
            JobArguments,
            _show_status,
            ("show_job_status", "show_job"),
        ),
        AgentTool(
            "results",
            "Links to the results",
            "Links to the pictures of an approved job, valid for a day, with their file names and indexes, and "
            "which photos were rejected and why. Free; it marks the job as delivered.",
            JobArguments,
            _show_results,
            ("show_downloads",),
            changes=True,
        ),
        AgentTool(
            "jobs",
            "Find jobs",
            "The jobs of the account, the newest first, by your own id or by status. Free.",
            JobsArguments,
            _list_jobs,
            ("list_jobs",),
        ),
        AgentTool(
            "cancel",
            "Cancel a job",
            "Cancel what was not begun of a job; its price is refunded at once. Free.",
            JobArguments,
            _cancel,
            ("cancel_job",),
            changes=True,
            is_destructive=True,
        ),
    )
}
