// The table of a course, on the page, on paper and as a file for a spreadsheet. Law: places, sums and percentiles are
// the server's; nothing that a player typed becomes a formula in a spreadsheet.

import { h } from "./dom.js";
import { number, t, toPar } from "./i18n.js";
import { recordLink } from "./record_file.js";
import { howWord, over, scorePair } from "./scorecard.js";
import { OTHER } from "./state.js";

/** What spreadsheets take for the beginning of a formula, full-width forms among them. */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/;

/** A text as a cell of a CSV file: quoted, and no formula whatever stands in it. */
export function csvText(text) {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** The rows of a course as a CSV file (RFC 4180), with a mark of UTF-8 for the programs that need one. */
export function csv(course, rows) {
  const { scoring } = course.options;
  const holes = Array.from({ length: course.options.holes }, (_, k) => k + 1);
  const head = [t("course.place"), t("course.player"), ...holes.map((n) => t("course.hole", { n })),
    t(`scoring.${scoring}`), t(`scoring.${OTHER[scoring]}`), t("course.to_par"), ...(course.best ? [t("best.over")] : [])];
  const line = (row) => [row.place, csvText(row.name), ...holes.map((n) => row.results[n - 1]?.[scoring] ?? ""),
    row.totals[scoring], row.totals[OTHER[scoring]], row.totals.to_par, ...(course.best ? [row.over_best ?? ""] : [])].join(",");
  return `\ufeff${[head.map(csvText).join(","), ...rows.map(line)].join("\r\n")}\r\n`;
}

function cell(course, row, k) {
  const result = row.results[k];
  if (!result) return h("td", { class: "open" }, "·");
  const hundredth = row.percentiles[k];
  const best = course.best?.[k] ?? null;
  return h("td", { title: howWord(result.how) }, h("span", { class: "lead-score" }, number(result[course.options.scoring])),
    best === null ? null : over(result.traditional - best),
    h("span", { class: "percentile" }, hundredth === null ? "" : t("course.percentile", { n: hundredth })));
}

/** What each hole is by rights, or came to at best: a row of figures that is nobody's. */
function measure(course, name, sum, ofHole, testid) {
  return h("tr", { class: "measure", "data-testid": testid }, h("td", null), h("th", { scope: "row" }, name), h("td", { class: "sum" }, sum),
    course.par ? h("td", null) : null, course.best ? h("td", null) : null, Array.from({ length: course.options.holes }, (_, k) => h("td", null, ofHole(k))));
}

function measures(course) {
  const { par, best, options } = course;
  const known = (best ?? []).filter((strokes) => strokes !== null);
  const sum = known.length === options.holes ? number(known.reduce((all, strokes) => all + strokes, 0)) : "–";
  return [par ? measure(course, t("par.short"), par, () => par / options.holes, "course-par") : null,
    best ? measure(course, t("best.short"), sum, (k) => (best[k] === null ? "·" : number(best[k])), "course-best") : null];
}

const sameRow = (one, other) => Boolean(other) && one.name === other.name && one.ended_at === other.ended_at;

/** One row; `mine` is the asker's own. Once the course is over its name leads to the record. */
function line(course, row, mine) {
  const own = sameRow(row, mine);
  const name = row.match ? h("a", { href: recordLink(row.match), "data-testid": "course-record" }, row.name) : row.name;
  return h("tr", { class: own ? "mine" : "", "data-key": `${row.ended_at}-${row.name}`, "data-testid": "course-row", "data-place": row.place },
    h("td", { class: "place" }, row.place),
    h("th", { scope: "row" }, name, own ? h("small", { class: "tag" }, t("seat.you")) : null, row.to_beat ? h("small", { class: "tag" }, t("course.to_beat")) : null),
    h("td", { class: "sum" }, scorePair(course.options.scoring, row.totals)),
    course.par ? h("td", { class: "to-par" }, toPar(row.totals.to_par)) : null,
    course.best ? h("td", { class: "sum-over", "data-testid": "over-best" }, row.over_best === null ? "–" : over(row.over_best)) : null,
    row.results.map((_, k) => cell(course, row, k)));
}

/** The table of these rows. */
export function courseTable(course, rows, mine) {
  const holes = Array.from({ length: course.options.holes }, (_, k) => k + 1);
  return h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": t("course.table") },
    h("table", { class: "course-table", "data-testid": "course-table" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("course.place"))), h("th", { scope: "col" }, t("course.player")),
        h("th", { scope: "col" }, t("total")), course.par ? h("th", { scope: "col" }, t("par.short")) : null, course.best ? h("th", { scope: "col", title: t("best.over") }, t("best.over.short")) : null,
        holes.map((n) => h("th", { scope: "col" }, h("span", { class: "unseen" }, t("course.hole", { n })), h("span", { "aria-hidden": "true" }, n))))),
      h("tbody", null, measures(course), rows.map((row) => line(course, row, mine)))));
}
