#!/usr/bin/env bash
# What the tests need from the machine: a Chromium for pages, Java for the HTML checker, PHP and Ruby for the programs
# of the documentation, nginx and Prometheus' promtool for the files of deploy, exiftool for what results say of
# themselves, and beside a PostgreSQL server PgBouncer. The shell of Chromium that only draws pages is quicker; where
# the whole browser is there, that does. As root on Debian what is missing is installed. Elsewhere one line says how to
# get it, and those tests are skipped; a CI run without them would prove too little, so there it is an error.
set -euo pipefail

packages=()
command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null ||
    packages+=(chromium-headless-shell)
command -v java > /dev/null || packages+=(default-jre-headless)
command -v php > /dev/null || packages+=(php-cli)
command -v ruby > /dev/null || packages+=(ruby)
command -v nginx > /dev/null || [[ -x /usr/sbin/nginx ]] || packages+=(nginx-light)
command -v promtool > /dev/null || packages+=(prometheus)
command -v exiftool > /dev/null || packages+=(libimage-exiftool-perl)
if [[ -n ${TEST_DATABASE_URL:-} ]]; then
    command -v pgbouncer > /dev/null || [[ -x /usr/sbin/pgbouncer ]] || packages+=(pgbouncer)
fi
((${#packages[@]})) || exit 0

# Downloads and unpacks; what it says is shown only when it fails.
install_them() {
    local said each
    said=$({ apt-get update -qq && apt-get install -qq -y --no-install-recommends "${packages[@]}"; } 2>&1) || {
        echo "$said" >&2
        return 1
    }
    # The tests want their programs; nobody asked for a web server and a Prometheus that run.
    command -v systemctl > /dev/null || return 0
    for each in "${packages[@]}"; do
        case $each in
            nginx-light) systemctl --quiet disable --now nginx 2> /dev/null || true ;;
            prometheus) systemctl --quiet disable --now prometheus 2> /dev/null || true ;;
        esac
    done
}
if ((EUID == 0)) && command -v apt-get > /dev/null; then
    echo "Installing ${packages[*]} for the tests (a minute, once)"
    if DEBIAN_FRONTEND=noninteractive install_them; then
        exit 0
    fi
fi
echo "tests: ${packages[*]} missing; on Debian: sudo apt-get install --no-install-recommends ${packages[*]}" >&2
[[ ${CI:-} != true ]]
