// The addresses of courses, which other pages lead to. Law: small, since the first page carries it.

const LINK = /^#(?:course=([0-9a-z]+)|club=([0-9a-z]+)\.([0-9a-f]{32})|beat=([0-9a-z]+)\.(\d)|(day))$/;

/** The course that an address asks for: {course, organiser}, {match, seat} or {day}; null where it asks for none. */
export function readCourseLink(hash) {
  const [, course, event, organiser, match, seat, day] = LINK.exec(hash) ?? [];
  if (course || event) return { course: course ?? event, organiser };
  if (match) return { match, seat: Number(seat) };
  return day ? { day: true } : null;
}

export const readDaysLink = (hash) => (hash === "#days" ? {} : null);
export const readClubLink = (hash) => (hash === "#club" ? {} : null);

export const courseLink = (id) => `#course=${id}`;
export const beatLink = (match, seat) => `#beat=${match}.${seat}`;
export const clubLink = (id, token) => `#club=${id}.${token}`;
