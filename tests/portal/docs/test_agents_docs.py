"""The guide on agents: its snippets are what clients read, and its table has the tools that there are."""

import json
import re

from app.api.mcp.tools import TOOLS
from app.container import Container
from app.domain.actors import Scope
from tests.portal.person import Person


def test_every_snippet_has_the_address_and_the_json_is_json(stranger: Person, container: Container) -> None:
    samples = [each.text for each in stranger.open("/docs/agents").html.select(".sample pre")]
    assert len(samples) == 4
    command, *files = samples
    address = f"{container.settings.base_url}/mcp"
    assert command.startswith(f"claude mcp add --transport http brightlist {address} --header ")
    read = [json.loads(each) for each in files]
    (server,) = read[0]["mcpServers"].values()
    assert server["url"] == read[1]["servers"]["brightlist"]["url"] == address
    assert re.fullmatch(r"Bearer ims_live_…", server["headers"]["Authorization"])
    assert read[2]["mcpServers"]["brightlist"]["command"] == "brightlist"


def test_the_table_has_every_tool_with_its_cost_and_scope(stranger: Person) -> None:
    rows = stranger.open("/docs/agents").html.select("table tbody tr")
    told = {row.th.text: row.td for row in rows}
    assert [*told] == [*TOOLS]
    for name, cell in told.items():
        scopes = {code.text for code in cell.select("code")} & {*Scope}
        assert scopes == TOOLS[name].scopes, name
        assert ("Costs credits." in cell.text) == (name == "order"), name


def test_programs_that_read_find_the_server(stranger: Person, container: Container) -> None:
    address = f"{container.settings.base_url}/mcp"
    for path in ("/llms.txt", "/docs.md", "/docs/agents.md"):
        assert address in stranger.open(path).text, path
