"""From a seat's message to the match's command. Adds the seat, which only the server knows, and fresh ids."""

from collections.abc import Callable
from typing import Any, Final

from server.match import commands as match
from server.protocol import client as said
from server.protocol.typed import options_of
from server.runtime.ids import new_match_id, new_room_code, new_secret, new_token, token_hash


def _rematch(message: said.RematchSaid, seat: int) -> match.Command:
    return match.Rematch(seat, new_match_id(), new_room_code(), new_secret())


def _add_bot(message: said.AddBotSaid, seat: int) -> match.Command:
    token = new_token()
    return match.AddBot(seat, message.strength, token, token_hash(token))


_MAKERS: Final[dict[type[Any], Callable[[Any, int], match.Command]]] = {
    said.PlaySaid: lambda m, seat: match.PlayCard(seat, m.source, m.target, m.card),
    said.SpitSaid: lambda m, seat: match.SpitPlay(seat, m.source, m.target, m.card, m.on),
    said.DrawSaid: lambda m, seat: match.DrawCard(seat, m.stock),
    said.UndoSaid: lambda m, seat: match.Undo(seat, m.moves, m.undos),
    said.GiveUpSaid: lambda m, seat: match.GiveUp(seat, m.hole),
    said.DoneSaid: lambda m, seat: match.Done(seat, m.hole),
    said.NextSaid: lambda m, seat: match.Next(seat, m.hole),
    said.ReadySaid: lambda m, seat: match.Ready(seat, m.ready, m.nonce or ""),
    said.StartSaid: lambda m, seat: match.Start(seat),
    said.KickSaid: lambda m, seat: match.Kick(seat, m.seat),
    said.AddBotSaid: _add_bot,
    said.LeaveSaid: lambda m, seat: match.Leave(seat),
    said.SetOptionsSaid: lambda m, seat: match.SetOptions(seat, options_of(m.options)),
    said.CloseSeatSaid: lambda m, seat: match.CloseSeat(seat, m.seat, m.hole),
    said.RematchSaid: _rematch,
}


def command_of(message: said.SeatMessage, seat: int) -> match.Command:
    """Return the command that a seat's message asks for. Raises ProtocolError for options that can't be."""
    return _MAKERS[type(message)](message, seat)
