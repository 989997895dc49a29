"""The storage keys of a file's small pictures, which are beside the file in a separate folder."""


def preview_key(source_key: str, size: str) -> str:
    """The storage key of the file's picture of this size, even if it is not made yet."""
    folder, _, name = source_key.rpartition("/")
    return f"{folder}/previews/{name}.{size}.jpg"
