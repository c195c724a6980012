import type { Bound, Clause, TextScope } from "../index-model/clause.js";

/** Longest description, in UTF-16 units. */
const LENGTH_MAX = 120;

/** A clause in words that its author knows again: about what was typed, without the many paths of a short name. */
export function describeClause(clause: Clause): string {
  const text = describe(clause);
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX - 3)}...`;
}

function describe(clause: Clause): string {
  switch (clause.kind) {
    case "everything":
      return "*";
    case "nothing":
      return "nothing";
    case "words":
      return `${field(clause.place)}${clause.words.length === 1 ? clause.words[0] : `"${clause.words.join(" ")}"`}`;
    case "prefix":
      return `${field(clause.place)}${clause.words.join(" ")}*`;
    case "wildcard":
      return `${field(clause.place)}${clause.pattern}`;
    case "fuzzy":
      return `${field(clause.place)}${clause.word}~${clause.edits}`;
    case "range":
      return `${clause.paths[0] ?? ""}:${range(clause.from, clause.to)}`;
    case "exists":
      return `${clause.paths[0] ?? ""}:*`;
    case "cites":
      return clause.id;
    case "element":
      return `${clause.path}:(${describe(clause.of)})`;
    case "all":
      return clause.of.map(nested).join(" AND ");
    case "any":
      return clause.of.map(nested).join(" OR ");
    case "not":
      return `NOT ${nested(clause.of)}`;
  }
}

const nested = (clause: Clause): string =>
  clause.kind === "all" || clause.kind === "any" ? `(${describe(clause)})` : describe(clause);

const field = (place: TextScope): string => (place.in === "text" ? "" : `${place.paths[0] ?? ""}:`);

function range(from: Bound | undefined, to: Bound | undefined): string {
  const open = from === undefined || from.inclusive ? "[" : "{";
  const close = to === undefined || to.inclusive ? "]" : "}";
  return `${open}${from?.value ?? "*"} TO ${to?.value ?? "*"}${close}`;
}
