"""The client: all resources of the API with one key."""

import os
import time
from collections.abc import Callable

import requests

from brightlist.calls import Resources
from brightlist.downloads import Downloads
from brightlist.errors import NotConfigured
from brightlist.jobs import Jobs
from brightlist.transport import Retries, Transport
from brightlist.uploads import Uploads

KEY_VARIABLE, URL_VARIABLE = "BRIGHTLIST_API_KEY", "BRIGHTLIST_URL"


class Brightlist(Resources):
    """The service with one key.

    `api_key` and `base_url` are by default those of the variables BRIGHTLIST_API_KEY and BRIGHTLIST_URL; raises
    NotConfigured where one is missing. `sleep` and `make_session` are for tests and for proxies of your own.
    """

    uploads: Uploads
    jobs: Jobs
    downloads: Downloads

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        retries: Retries | None = None,
        sleep: Callable[[float], None] = time.sleep,
        make_session: Callable[[], requests.Session] = requests.Session,
    ) -> None:
        key, url = api_key or os.environ.get(KEY_VARIABLE), base_url or os.environ.get(URL_VARIABLE)
        if not key or not url:
            raise NotConfigured(f"Give api_key and base_url, or set {KEY_VARIABLE} and {URL_VARIABLE}.")
        self.transport = Transport(key, url, retries or Retries(), sleep, make_session)
        super().__init__(self.transport)
        self.uploads = Uploads(self.transport)
        self.jobs = Jobs(self.transport)
        self.downloads = Downloads(self.transport)
