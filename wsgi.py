"""The WSGI entry point: `gunicorn wsgi:application`."""

import sys

from app.application import create_app
from app.settings import SettingsError

try:
    application = create_app()
except SettingsError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
