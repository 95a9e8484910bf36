"""What a connection asks about courses: answered with a frame, or let into its round. Knows sessions."""

from collections.abc import Callable

from server.match.course import standing
from server.match.entries import Created
from server.match.names import clean
from server.match.on_course import OnCourse
from server.protocol import courses as said
from server.runtime.clubhouse import Clubhouse, error_of
from server.runtime.hub import Hub
from server.runtime.ids import new_room_code, round_id_of, token_hash
from server.runtime.room import Room
from server.runtime.session import Session


class CourseDesk:
    """Answers one worker's connections. Its methods raise ProtocolError, EngineError, Unreadable."""

    def __init__(self, hub: Hub, clubhouse: Clubhouse) -> None:
        self._hub, self._clubhouse = hub, clubhouse

    async def answer(self, session: Session, message: said.CourseMessage, allow: Callable[[], None]) -> None:
        """Answer what can be asked in a match or in none. `allow` is asked before a course is made, and may raise."""
        house = self._clubhouse
        if isinstance(message, said.CourseAsk):
            course = await house.find(message.course)
            session.say(await house.show(course, message.page, message.token, message.organiser))
        elif isinstance(message, said.DayAsk):
            session.say(await house.show(await house.day(), token=message.token))
        elif isinstance(message, said.DaysAsk):
            session.say(await house.days())
        elif isinstance(message, said.BeatSaid):
            session.say(await house.show(await house.beat(message.match, message.seat, allow)))
        elif isinstance(message, said.ClubSaid):
            session.say(await house.show(await house.club(message, allow), organiser=message.token))
        else:
            session.say(await house.show(await house.club_set(message), organiser=message.token))

    async def round_of(self, message: said.PlayCourse, allow: Callable[[], None]) -> tuple[Room, bool]:
        """Return the room of a browser's round of a course, and whether it was made just now.

        `allow` is asked before it is made, and may raise.
        Refused with `course_not_open`, `course_over`, `already_played`, and what the course's roster refuses.
        """
        house = self._clubhouse
        match_id = round_id_of(message.course, message.token)
        room = await self._hub.open(match_id)
        if room is not None:
            if room.state.phase == "ended":
                raise error_of("already_played")
            return room, False
        course = await house.find(message.course)
        name = clean(message.name)
        if name is None:
            raise error_of("bad_name")
        stands = standing(course, self._hub.clock.now_ms())
        if stands == "before":
            raise error_of("course_not_open")
        if stands == "over":
            raise error_of("course_over")
        name = await house.claim(course, name, match_id)
        allow()
        on_course = OnCourse(course.course_id, course.closes_at_ms, await house.ghosts(course))
        seated = ((0, name, token_hash(message.token)),)
        while not await self._hub.make(
            Created(match_id, new_room_code(), course.options, course.secret, 0, seated, course.sealing, on_course)
        ):
            pass
        room = await self._hub.open(match_id)
        if room is None:
            raise error_of("engine_away")
        return room, True
