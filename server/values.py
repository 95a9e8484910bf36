"""Frozen values that are cheap to make.

A frozen dataclass sets each field through `object.__setattr__`, which makes it four times as dear as a plain one, and
a move makes ten. `value` is frozen for whoever checks types, which is where a wrong write is found; at run time it
has slots, equality and a hash by its fields, and nothing in its way.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["value"]

if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:

    def value(*, frozen: bool, slots: bool) -> Any:
        """Make a class a value; both arguments are true and stand there for the type checker."""
        return dataclasses.dataclass(slots=slots, unsafe_hash=frozen)
