// Checks the rounds of a record of Spit, as docs/deals.md says. Law: a second reading of the rules beside the server's;
// it gives the paths that are wrong and touches no page.

const RANKS = "A23456789TJQK";
const PILES = [1, 2, 3, 4, 5].map((n) => `column.${n}`);
const HEAPS = ["heap.1", "heap.2"];
const HAND = 15;

const joins = (top, card) => [1, 12].includes(Math.abs(RANKS.indexOf(top[0]) - RANKS.indexOf(card[0])));

/** A round as it is dealt: cards go to the two in turn, and the first spit card of each begins its heap. */
function dealt(deck) {
  const sides = [0, 1].map((side) => {
    const cards = deck.filter((_, i) => i % 2 === side);
    const piles = PILES.map((_, n) => cards.slice((n * (n + 1)) / 2, ((n + 1) * (n + 2)) / 2));
    return { piles: Object.fromEntries(PILES.map((name, n) => [name, piles[n]])), stock: cards.slice(HAND) };
  });
  const table = { sides, heaps: [[], []] };
  spit(table);
  return table;
}

function spit({ sides, heaps }) {
  sides.forEach(({ stock }, i) => stock.length && heaps[i].push(stock.shift()));
}

const left = ({ piles }) => PILES.reduce((sum, name) => sum + piles[name].length, 0);

/** Whether the top of a pile may go to a place. */
function may({ sides, heaps }, side, source, target) {
  const { piles } = sides[side];
  const from = piles[source];
  if (!from?.length) return false;
  if (HEAPS.includes(target)) return joins(heaps[HEAPS.indexOf(target)].at(-1), from.at(-1));
  return piles[target]?.length === 0 && from.length > 1;
}

const blocked = (table) => [0, 1].every((side) => PILES.every((source) => [...HEAPS, ...PILES].every((target) => !may(table, side, source, target))));
const over = (table) => table.sides.some((side) => !left(side)) || (blocked(table) && table.sides.every(({ stock }) => !stock.length));

/** Does a recorded play; false if the rules don't allow it. */
function done(table, [what, , ...words]) {
  if (over(table)) return false;
  if (what === "spit") {
    const turned = table.sides.map(({ stock }) => stock[0] ?? "");
    if (!blocked(table) || turned.some((card, i) => card !== words[i])) return false;
    spit(table);
    return true;
  }
  const [seat, source, target, card] = words;
  if (what !== "play" || !["0", "1"].includes(seat) || !may(table, Number(seat), source, target) || table.sides[seat].piles[source].at(-1) !== card) return false;
  table.sides[seat].piles[source].pop();
  if (HEAPS.includes(target)) table.heaps[HEAPS.indexOf(target)].push(card);
  else table.sides[seat].piles[target].push(card);
  return true;
}

function resultOf(table, side) {
  const mine = left(table.sides[side]);
  const how = !mine ? "cleared" : !over(table) ? "timed_out" : left(table.sides[1 - side]) ? "stuck" : "done";
  return { how, cards_left: mine, stock: table.sides[side].stock.length, traditional: mine, app: 10 * (HAND - mine), moves: 0, undos: 0 };
}

/** Gives what is wrong with the rounds to `wrong`; `codeOf(place)` and `deckOf(code)` are the sealed code and its cards. */
export function checkRounds(record, { codeOf, deckOf }, wrong) {
  record.holes.forEach((hole, i) => {
    const path = `holes[${i}]`;
    if (hole.hole !== i + 1) wrong(`${path}.hole`);
    const code = codeOf(i);
    if (hole.code !== code) wrong(`${path}.code`);
    const table = dealt(deckOf(code));
    const bad = hole.plays.findIndex((play) => !done(table, play));
    if (bad >= 0) return wrong(`${path}.plays[${bad}]`);
    for (const seat of [0, 1]) {
      const { result } = hole.seats[seat] ?? {};
      if (!result !== (hole.closed_at === null)) wrong(`${path}.seats.${seat}.result`);
      if (!result) continue;
      for (const [name, value] of Object.entries(resultOf(table, seat))) if (result[name] !== value) wrong(`${path}.seats.${seat}.result.${name}`);
    }
  });
}
