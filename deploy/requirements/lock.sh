#!/usr/bin/env bash
# Pins every package with its hashes, for all platforms and Pythons from 3.11 on. Run it after editing pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/../.."
uv=${UV:-.venv/bin/uv}
common=(--universal --python-version 3.11 --generate-hashes --no-annotate --no-header)
"$uv" pip compile pyproject.toml "${common[@]}" -o deploy/requirements/run.txt "$@"
"$uv" pip compile pyproject.toml --extra monitoring --extra credentials --group dev -c deploy/requirements/run.txt "${common[@]}" -o deploy/requirements/dev.txt "$@"
"$uv" pip compile pyproject.toml --extra monitoring -c deploy/requirements/run.txt "${common[@]}" -o deploy/requirements/monitoring.txt "$@"
"$uv" pip compile pyproject.toml --extra credentials -c deploy/requirements/run.txt "${common[@]}" -o deploy/requirements/credentials.txt "$@"
"$uv" pip compile pyproject.toml --group training -c deploy/requirements/run.txt "${common[@]}" -o deploy/requirements/training.txt "$@"
"$uv" pip compile --group diffusion -c deploy/requirements/run.txt "${common[@]}" -o deploy/requirements/diffusion.txt "$@"
echo uv | "$uv" pip compile - -c deploy/requirements/dev.txt "${common[@]}" -o deploy/requirements/uv.txt "$@"
