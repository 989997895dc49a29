"""Links to stored files, as forms lead to them."""

from urllib.parse import urlsplit

from app.web.context import container


def strip_own_host(url: str) -> str:
    """Make a link of our own a path: the browser may know us by another name than BASE_URL.

    Our policy lets forms lead nowhere but to where they came from.
    """
    parts = urlsplit(url)
    own = parts.netloc == urlsplit(container().settings.base_url).netloc
    return parts._replace(scheme="", netloc="").geturl() if own else url
