"""Writes the generated part of the Python client anew: python -m tests.clients.regenerate_python."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from app.application import create_app
from tests.beginnings import settings_over

ROOT = Path(__file__).parents[2]

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "clients" / "python"))
    import generate_calls

    with TemporaryDirectory() as folder:
        app = create_app(settings_over(f"sqlite:///{folder}/app.db", Path(folder)))
        document = json.loads(app.test_client().get("/api/v1/openapi.json").text)
    for path, text in generate_calls.list_changes(document):
        path.write_text(text)
        sys.stdout.write(f"{path.relative_to(ROOT)} is new\n")
