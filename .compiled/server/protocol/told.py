"""The one message that nearly all others are: an entry, told."""


def entry(version: int, patch: str, seq: int | None = None) -> bytes:
    """Tell one entry, encoded; `seq` where it answers the hearer's own command.

    `patch`: the members of a JSON object, as `match.telling` gives them.
    """
    head = f'{{"t":"e","v":{version}' if seq is None else f'{{"t":"e","v":{version},"seq":{seq}'
    return f"{head},{patch}}}".encode() if patch else f"{head}}}".encode()
