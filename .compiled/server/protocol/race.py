"""What a seat says in a game of Spit."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from server.protocol.fields import CardText, Pile, Said, Seq


class SpitSaid(Said):
    """Play a card in Spit. `on`: the heap's top that it is meant for; empty for an empty place."""

    t: Literal["spit"]
    seq: Seq
    source: Pile
    target: Pile
    card: CardText
    on: Annotated[str, StringConstraints(max_length=3)]
