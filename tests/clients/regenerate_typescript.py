"""Renews the types of the TypeScript client; after `make setup`: python -m tests.clients.regenerate_typescript."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from app.application import create_app
from tests.beginnings import settings_over
from tests.journeys.test_receivers import node

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        app = create_app(settings_over(f"sqlite:///{folder}/app.db", Path(folder)))
        document = Path(folder) / "openapi.json"
        document.write_text(app.test_client().get("/api/v1/openapi.json").text)
        subprocess.run([node() or "node", "generate.mjs", str(document)], cwd=CLIENT, check=True)
