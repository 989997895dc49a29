"""The files for other programs, by what those programs say of them: promtool, nginx, systemd."""

import shutil
import subprocess
from pathlib import Path

import pytest
import trustme

from tests.deploy import files
from tests.deploy.files import DEPLOY


def said(*command: str, cwd: Path = DEPLOY) -> str:
    """What the program says where all is well; the test is left out where it is not there."""
    found = shutil.which(command[0], path=f"{shutil.os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{command[0]} is not on this machine, see deploy/test-packages.sh")
    done = subprocess.run([found, *command[1:]], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_prometheus_takes_the_alert_rules_and_its_configuration() -> None:
    assert "rules found" in said("promtool", "check", "rules", "prometheus/alerts.yaml")
    assert "SUCCESS" in said("promtool", "check", "config", "prometheus/prometheus.yaml")


@pytest.mark.long
def test_alerts_fire_when_they_should_and_not_before() -> None:
    assert "SUCCESS" in said("promtool", "test", "rules", "prometheus/alerts_test.yaml")


def test_prometheus_understands_every_query_of_the_dashboard(tmp_path: Path) -> None:
    rules = ["groups:", "- name: dashboard", "  rules:"]
    for number, query in enumerate(files.expressions()):
        plain = query.replace("$__rate_interval", "5m").replace("'", "''")
        rules += [f"  - record: query:{number}", f"    expr: '{plain}'"]
    (tmp_path / "queries.yaml").write_text("\n".join(rules))
    assert "rules found" in said("promtool", "check", "rules", str(tmp_path / "queries.yaml"))


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("photos.example.com")
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    text = (DEPLOY / "nginx" / "brightlist.conf").read_text()
    for path in ("/etc/ssl/certs/photos.example.com.pem", "/etc/ssl/private/photos.example.com.key"):
        assert path in text
        text = text.replace(path, str(tmp_path / "both.pem"))
    text = text.replace("/var/log/nginx/", f"{tmp_path}/").replace(":80;", ":18080;").replace("80;", "18080;", 1)
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n"
        + "".join(
            f"{kind}_temp_path {tmp_path}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        + text
        + "}\n"
    )
    assert "successful" in said("nginx", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))


def test_systemd_takes_its_units(tmp_path: Path) -> None:
    """Their programs are not installed here: everything else must stand."""
    for name, text in files.units().items():
        lines = text.replace("/srv/brightlist/.venv/bin/gunicorn", "/bin/true")
        (tmp_path / name).write_text(lines.replace("/srv/brightlist/.venv/bin/python", "/bin/true"))
    names = [str(tmp_path / name) for name in files.units()]
    told = said("systemd-analyze", "verify", "--man=no", *names, cwd=tmp_path)
    assert [line for line in told.splitlines() if "brightlist" in line] == []
