"""What the store raises. Codes are stable; words are for a person who reads a log or a terminal."""


class EngineError(Exception):
    """The engine did not do what was asked, and whoever asked may have to say so.

    `code` is one of `engine_away` (no answer in time, or no connection), `oom`, `misconf`, `denied`, `moved`,
    `closed` (this store was closed), or `refused` for whatever else it said.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.words = words


class EngineUnfit(Exception):
    """The engine cannot keep the promises of the store: the server must not start on it.

    `code` is one of `too_old`, `evicts`, `replica`, `cluster`, `socket_dir`, `no_binary`.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
