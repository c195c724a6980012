import type { Clause } from "../../src/query/index-model/clause.js";

/** Short ways to write clauses over the tiny catalog; paths stand without `metadata.`. */
export const text = (...words: string[]): Clause => ({ kind: "words", place: { in: "text" }, words });
export const at = (path: string, ...words: string[]): Clause => ({
  kind: "words",
  place: { in: "paths", paths: [`metadata.${path}`] },
  words,
});
export const not = (of: Clause): Clause => ({ kind: "not", of });
export const all = (...of: Clause[]): Clause => ({ kind: "all", of });
export const any = (...of: Clause[]): Clause => ({ kind: "any", of });
export const number = (path: string, from?: number, to?: number, inclusive = true): Clause => ({
  kind: "range",
  paths: [`metadata.${path}`],
  type: "number",
  ...(from === undefined ? {} : { from: { value: from, inclusive } }),
  ...(to === undefined ? {} : { to: { value: to, inclusive } }),
});
