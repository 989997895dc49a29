"""Breaks each guard of money, data and access on purpose, in a copy, and says whether the tests notice.

    python -m bench.guards [NAME ...]

A guard that can be taken out without a failing test is one that the next change takes out unseen. Exits 1 when the
tests of any broken guard pass, or fail without it being broken.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tables import say_where, show

ROOT = Path(__file__).parents[1]
FAILED = 1
"""What pytest exits with when tests failed, and for nothing else."""


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard: `text` of a file, found there exactly once, what breaks it, and the tests that should notice."""

    name: str
    file: str
    text: str
    broken: str
    tests: tuple[str, ...]


GUARDS = (
    Guard(
        "guarded debit",
        "app/services/billing/credits.py",
        ".where(Organization.id == account_id, Organization.credits >= -total)",
        ".where(Organization.id == account_id)",
        ("tests/services/billing/test_credits.py",),
    ),
    Guard(
        "one movement per cause",
        "app/migrations/versions/0001_baseline.py",
        'sa.Column("cause", sa.String(120), nullable=False, unique=True),',
        'sa.Column("cause", sa.String(120), nullable=False),',
        ("tests/services/billing/test_credits.py",),
    ),
    Guard(
        "fence of a photo's work",
        "app/services/leases.py",
        "and_(self.key == held.key, is_same_claim, self.model.state == self.working)",
        "and_(self.key == held.key, self.model.state == self.working)",
        ("tests/services/photos/test_photos.py",),
    ),
    Guard(
        "lease of a photo's work",
        "app/services/leases.py",
        "free = or_(self.model.state == self.waiting, self.model.lease_until < now)",
        "free = or_(self.model.state == self.waiting, self.model.state == self.working)",
        ("tests/services/photos/test_photos.py",),
    ),
    Guard(
        "fence of an Idempotency-Key",
        "app/services/idempotency/idempotency_records.py",
        "        IdempotencyRecord.claim_id == use.claim_id,\n",
        "",
        ("tests/services/idempotency/test_idempotency_records.py",),
    ),
    Guard(
        "one attempt per delivery at a time",
        "app/services/leases.py",
        "and_(self.key == key, self.is_due(now), *conditions)",
        "self.key == key",
        ("tests/services/webhooks/test_deliveries.py",),
    ),
    Guard(
        "webhooks to public addresses only",
        "app/adapters/address_policy.py",
        "target.port in _PUBLIC_PORTS and is_public(address)",
        "target.port in _PUBLIC_PORTS",
        ("tests/adapters/test_address_policy.py",),
    ),
    Guard(
        "every single answer of a name is vetted",
        "app/adapters/address_policy.py",
        "not all(self._admits(target, each) for each in addresses)",
        "not any(self._admits(target, each) for each in addresses)",
        ("tests/adapters/test_address_policy.py",),
    ),
    Guard(
        "jobs of the own account only",
        "app/services/orders/jobs.py",
        "mine = select(Job).where(Job.id == job_id, Job.account_id == account_id, *conditions)",
        "mine = select(Job).where(Job.id == job_id, *conditions)",
        (
            "tests/conformance/test_interface_order_result.py",
            "tests/conformance/test_interface_download_result.py",
        ),
    ),
    Guard(
        "deliveries of the own account only",
        "app/services/webhooks/delivery_log.py",
        "mine = (Delivery.id == delivery_id, Webhook.account_id == account_id, Webhook.deleted_at.is_(None))",
        "mine = (Delivery.id == delivery_id, Webhook.deleted_at.is_(None))",
        ("tests/portal/webhooks/test_delivery_pages.py",),
    ),
    Guard(
        "revoked keys open nothing",
        "app/services/security/api_keys.py",
        "if row is None or row.revoked_at is not None or (row.expires_at",
        "if row is None or (row.expires_at",
        ("tests/services/security/test_api_keys.py",),
    ),
    Guard(
        "signed URLs end",
        "app/adapters/signed_urls.py",
        "if (at or self._clock()).timestamp() >= until:",
        "if until < 0:",
        ("tests/adapters/test_storage_contract.py",),
    ),
    Guard(
        "forms carry a token",
        "app/portal/page_blueprint.py",
        "        _GUARD.protect()\n",
        "        pass\n",
        ("tests/architecture/test_entry_points.py",),
    ),
    Guard(
        "whose test key the documentation shows",
        "app/services/security/docs_keys.py",
        "ApiKey.account_id == sandbox_id, ApiKey.made_by == user_id",
        "ApiKey.account_id == sandbox_id",
        ("tests/portal/docs/test_own_key.py",),
    ),
    Guard(
        "quota of bytes not ordered",
        "app/services/uploads/quotas.py",
        "AccountUse.account_id == account_id, AccountUse.held_bytes + size_bytes <= limit",
        "(AccountUse.account_id == account_id,)",
        ("tests/security/test_quota_races.py",),
    ),
    Guard(
        "quota of open upload sessions",
        "app/services/uploads/quotas.py",
        "AccountUse.account_id == account_id, AccountUse.open_sessions < limit",
        "(AccountUse.account_id == account_id,)",
        ("tests/security/test_quota_races.py",),
    ),
    Guard(
        "an outage costs no try",
        "app/services/leases.py",
        'self.attempts.key: self.attempts - 1, "postponements": count + 1',
        '"postponements": count + 1',
        ("tests/services/photos/test_outages.py",),
    ),
    Guard(
        "deadline of a job",
        "app/services/orders/jobs.py",
        "if job.status in UNSETTLED and job.deadline_at <= now:",
        "if False:",
        ("tests/services/photos/test_outages.py",),
    ),
    Guard(
        "deadline of a request's body",
        "app/serving/requests.py",
        "return now > deadline or self.pace.is_too_slow(now, self.body_bytes_received)",
        "return now < 0",
        ("tests/serving/test_deadlines.py",),
    ),
    Guard(
        "headers of trusted proxies only",
        "app/web/proxies.py",
        "address is not None and trusted.includes(address)",
        "address is not None",
        ("tests/web/test_proxies.py",),
    ),
    Guard(
        "one account's browsers are not another's",
        "app/services/security/known_browsers.py",
        "mine = (KnownBrowser.user_id == user_id, KnownBrowser.digest == digest)\n    return session.scalar",
        "mine = (KnownBrowser.user_id == user_id,)\n    return session.scalar",
        ("tests/portal/security/test_sign_in_tries.py", "tests/services/security/test_known_browsers.py"),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Break and test the guards of these names, or all; 0 when every one was noticed."""
    parser = argparse.ArgumentParser(prog="python -m bench.guards", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args(arguments).names
    chosen = [guard for guard in GUARDS if not names or guard.name in names]
    say_where()
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder) / "copy")
        whole = _exit_status(copy, sorted({test for guard in chosen for test in guard.tests}))
        rows = [(guard.name, guard.file, _noticed(copy, guard)) for guard in chosen]
    show("Guards broken on purpose", ("Guard", "In", "Its tests"), rows)
    print(f"Unbroken, the same tests {'pass' if not whole else 'FAIL'}.")
    return int(bool(whole) or any(noticed != "fail" for _, _, noticed in rows))


def copied(to: Path) -> Path:
    """The project as it stands, with what was built of its frontend."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).split("\0"):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    (to / "build").symlink_to(ROOT / "build")
    return to


def _noticed(copy: Path, guard: Guard) -> str:
    """What the guard's tests say of it when it is broken: fail, as they should, or PASS."""
    path = copy / guard.file
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace(guard.text, guard.broken), encoding="utf-8")
    try:
        return "fail" if _exit_status(copy, guard.tests) == FAILED else "PASS"
    finally:
        path.write_text(whole, encoding="utf-8")


def _exit_status(copy: Path, tests: Sequence[str]) -> int:
    # Without its cache a file that changed twice within a second cannot be taken for the one before.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", "-n", "0", *tests]
    return subprocess.run(command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
