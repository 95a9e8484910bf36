// The part of Pyramid Golf in checking a record. Law: as places.js; here is only which card covers which.

import { rowsGame } from "./places.js";

export default rowsGame({ prefix: "PG", par: 7, rows: [1, 2, 3, 4, 5, 6, 7], covers: (row, i) => i, down: 0 });
