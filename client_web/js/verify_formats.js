// What the holes of a record add up to, checked as docs/deals.md says: how many, totals, nines, places, match play.
// Law: written from that page alone; it goes by the results that the record tells and gives the paths that are wrong.

const ROUND = 18;
const MORE_HOLES = 9;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isClosed = (hole) => hole.closed_at !== null;

/** Sums of results against par, with their names in the record's order; points where games are mixed. */
function sums(results, par, mix) {
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const thru = results.length;
  const points = mix ? { points: sum("points") } : {};
  return { thru, traditional: sum("traditional"), app: sum("app"), to_par: sum("traditional") - par * thru, ...points };
}

/** The seat that wins a hole of match play, or null. */
function wonBy(a, b, results, scoring) {
  const [one, other] = [results[a], results[b]];
  if ((one.how === "gave_up") !== (other.how === "gave_up")) return one.how === "gave_up" ? b : a;
  const ahead = scoring === "traditional" ? other.traditional - one.traditional : one.app - other.app;
  return ahead === 0 ? null : ahead > 0 ? a : b;
}

/** Whether these closed holes decide the match. */
function decided({ holes, sudden_death: more }, lead, thru) {
  return Math.abs(lead) > Math.max(0, holes - thru) || thru >= holes + (more ? MORE_HOLES : 0);
}

/** How match play came out: {winners, standing, holes}, `holes` being how many there can be; null if it can't be told. */
function played(record) {
  const [a, b] = record.seats.map((row) => row.seat);
  const { options, notes } = record;
  const results = record.holes.filter(isClosed).map((hole) => ({ [a]: hole.seats[a]?.result, [b]: hole.seats[b]?.result }));
  if (record.seats.length !== 2 || results.some((made) => !made[a] || !made[b])) return null;
  const winners = results.map((made) => wonBy(a, b, made, options.scoring));
  let [lead, thru] = [0, 0];
  while (thru < winners.length && !decided(options, lead, thru)) lead += { [a]: 1, [b]: -1 }[winners[thru++]] ?? 0;
  const over = decided(options, lead, thru);
  const conceded = over ? null : notes[0]?.seat ?? null;
  const leader = lead === 0 ? null : lead > 0 ? a : b;
  const winner = conceded === null ? leader : conceded === a ? b : a;
  const standing = { leader, up: Math.abs(lead), left: Math.max(0, options.holes - thru), thru, dormie: false,
    over: over || conceded !== null, winner, conceded };
  return { winners, standing, most: over ? thru : conceded === null ? -1 : thru + 1 };
}

function checkMatchPlay(record, match, wrong) {
  if (record.schema < 3) return;
  let closed = 0;
  record.holes.forEach((hole, i) => {
    if (hole.winner !== (match && isClosed(hole) ? match.winners[closed++] : null)) wrong(`holes[${i}].winner`);
  });
  const { standing } = record;
  if (!match || !standing) return void (standing !== (match?.standing ?? null) && wrong("standing"));
  for (const [name, value] of Object.entries(match.standing)) if (standing[name] !== value) wrong(`standing.${name}`);
}

/** The places by seat: of match play by its winner, else by the totals; null while no hole has closed. */
function placesOf(record, total, match) {
  const { scoring } = record.options;
  const worth = (seat) => (scoring === "traditional" ? total[seat].traditional : -total[seat][scoring]);
  const ahead = match?.standing.winner;
  return (seat) => {
    if (match) return ahead === null || ahead === seat ? 1 : 2;
    if (!record.holes.some(isClosed)) return null;
    return 1 + record.seats.filter((other) => worth(other.seat) < worth(seat)).length;
  };
}

/** Gives the paths of what is wrong to `wrong`; `par` in strokes a hole. */
export function checkFormat(record, par, wrong) {
  const { options, holes } = record;
  const closed = holes.filter(isClosed);
  const isMatch = options.format === "match" && holes.length > 0;
  const match = isMatch ? played(record) : null;
  if (isMatch && !match) wrong("seats");
  const open = match ? match.standing.conceded !== null || record.abandoned : record.abandoned;
  if (holes.some((hole, i) => !isClosed(hole) && !(open && i === holes.length - 1))) wrong("holes");
  if (match ? match.most < 0 || holes.length > match.most : !record.abandoned && closed.length !== options.holes) wrong("holes");
  checkMatchPlay(record, match, wrong);
  if (record.par !== par * closed.length) wrong("par");
  const resultsOf = (seat) => closed.map((hole) => hole.seats[seat]?.result).filter(Boolean);
  const total = Object.fromEntries(record.seats.map(({ seat }) => [seat, sums(resultsOf(seat), par, options.mix)]));
  const placeOf = placesOf(record, total, match);
  record.seats.forEach((row, i) => {
    const due = { ...total[row.seat], place: placeOf(row.seat) };
    for (const [name, value] of Object.entries(due)) if (row[name] !== value) wrong(`seats[${i}].${name}`);
    if (record.schema < 3) return;
    const results = resultsOf(row.seat);
    const nines = options.holes === ROUND ? [sums(results.slice(0, 9), par, options.mix), sums(results.slice(9, ROUND), par, options.mix)] : null;
    if (!same(row.nines && row.nines.map(({ thru, traditional, app, to_par, ...more }) => ({ thru, traditional, app, to_par, ...more })), nines)) wrong(`seats[${i}].nines`);
  });
}
