"""Valid HTML as the checker of the W3C sees it."""

import json
import subprocess
from pathlib import Path

from tests.budgets import Dear, spend

CHECKER = Path(__file__).parents[2] / "build" / "vendor" / "vnu.jar"


def faults(pages: dict[str, str], folder: Path) -> list[str]:
    """What is wrong with the pages (name -> text), one line a fault; all in one run, since Java starts slowly."""
    spend(Dear.JVMS)
    for number, text in enumerate(pages.values()):
        (folder / f"{number}.html").write_text(text)
    quickly = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m")  # the checker recurses deeply
    command = ["java", *quickly, "-jar", str(CHECKER), "--stdout", "--format", "json", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout, done.stderr
    names = list(pages)
    return [
        f"{names[int(Path(each['url']).stem)]}: line {each.get('lastLine')}: {each['message']}"
        for each in json.loads(done.stdout)["messages"]
        if each["type"] != "info" or each.get("subType") == "warning"
    ]
