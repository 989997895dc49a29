"""Where the small pictures of a stored file are: beside it, in a folder of their own."""


def preview_key(source_key: str, size: str) -> str:
    """The storage key of the file's picture of this size, whether it is made or not."""
    folder, _, name = source_key.rpartition("/")
    return f"{folder}/previews/{name}.{size}.jpg"
