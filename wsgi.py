"""The WSGI entry point: `gunicorn wsgi:application`."""

import sys

from app import monitoring
from app.application import create_app
from app.domain.disclosure.rule_files import RuleFileError
from app.settings import SettingsError, load_settings

try:
    settings = load_settings()
    monitoring.start(settings, "web")
    application = create_app(settings)
except (SettingsError, RuleFileError) as error:
    print(error, file=sys.stderr)
    sys.exit(2)
