// The part of Tri Peaks in checking a record. Law: as places.js; here is only which card covers which.

import { rowsGame } from "./places.js";

// Within a peak each row has one card more than the last one; the fourth goes on through all three peaks.
const covers = (row, i) => [2 * i, i + Math.floor(i / 2), i][row];

export default rowsGame({ prefix: "TP", par: 1, rows: [3, 6, 9, 10], covers, down: 18 });
