"""`brightlist mcp`: the MCP server for agents on this machine."""

from importlib import import_module
from pathlib import Path

import click

from brightlist.cli.surroundings import Surroundings, pass_surroundings


@click.command()
@click.option("--budget", required=True, type=click.FloatRange(min=0), help="At most so many credits are spent.")
@click.option(
    "--root",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folders of photos and pictures lie in it; by default where the command runs.",
)
@pass_surroundings
def mcp(around: Surroundings, budget: float, root: Path) -> None:
    """Serve agents by the Model Context Protocol on standard input and output.

    They may ask for prices, order within the budget, and save results. Needs `pip install 'brightlist[mcp]'`.
    """
    client = around.connect()
    try:
        server = import_module("brightlist.mcp_server").make_server(client, root, budget)
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is missing: pip install 'brightlist[mcp]'") from None
    server.run("stdio")
