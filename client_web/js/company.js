// The ghosts beside a round, as further seats of the view: whoever draws rivals draws them. Law: what may be seen of
// them is the server's to say; they have no connection, say nothing, and are never waited for.

/** Ghosts' seats are numbered from here on; a match has no such seats. */
const FIRST = 100;

const isGhost = (seat) => Number(seat) >= FIRST;
const withoutGhosts = (by) => Object.fromEntries(Object.entries(by ?? {}).filter(([seat]) => !isGhost(seat)));

/** The view with these ghosts and no others, out of a frame {hole, ghosts}. Never changes the view it was given. */
export function haunted(view, { ghosts }) {
  const seats = withoutGhosts(view.seats);
  const boards = withoutGhosts(view.boards);
  const card = (view.match.card ?? []).map((record) => ({ ...record, scores: withoutGhosts(record.scores) }));
  ghosts.forEach(({ board, results, ...counts }, i) => {
    const seat = FIRST + i;
    seats[seat] = { ...counts, ghost: true, ready: true, next: true, place: null, ended_at: null };
    boards[seat] = board;
    results.forEach((result, k) => {
      if (card[k]) card[k].scores[seat] = result;
    });
  });
  return { ...view, seats, boards, match: { ...view.match, card } };
}
