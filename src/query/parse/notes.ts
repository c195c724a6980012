import type { IssueCodeName, Warning } from "../../core/issue.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import type { Span } from "../text/positions.js";
import { printQuery } from "./print.js";
import type { QueryNode } from "./tree.js";

type Extra = Pick<Warning, "value" | "nearest">;

/** Maximum number of warnings; more would not help. */
const WARNINGS_MAX = 20;
/** Maximum number of searches for similar names, which take time. */
const HINTS_MAX = 8;

/** Collects the warnings about a query, each once. */
export class Notes {
  readonly warnings: Warning[] = [];
  /** Part of the text that each warning is about, if it is known. */
  readonly places = new Map<Warning, Span>();
  /** Whether a part of the text was invalid and was interpreted in another way. */
  fallback = false;
  readonly #reported = new Set<string>();
  #hints = HINTS_MAX;

  /** Returns whether similar names may be searched for once more, and counts the search. */
  takeHint(): boolean {
    return this.#hints-- > 0;
  }

  /** Adds a warning about a valid part of the text. */
  warn(code: IssueCodeName, message: string, extra: Extra = {}): void {
    const key = JSON.stringify([code, extra.value]);
    if (this.#reported.has(key) || this.warnings.length >= WARNINGS_MAX) return;
    this.#reported.add(key);
    this.warnings.push({ code, message, parameter: "q", ...extra });
  }

  /** Sets the part of the text for all warnings since the last call. */
  place(span: Span): void {
    for (const warning of this.warnings.slice(this.places.size)) this.places.set(warning, span);
  }

  /** Adds a warning about an invalid part of the text that was interpreted in another way. */
  fallBack(code: IssueCodeName, message: string, extra: Extra = {}): void {
    this.fallback = true;
    this.warn(code, message, extra);
  }
}

/** Minimum length of a name for a hint. A shorter name is similar to too many others. */
const NAME_LENGTH_MIN = 4;

/** Warns about an unknown name before a colon if it is similar to a field: `Titel:x`, but not `Tris:HCl`. */
export function noteUnknownName(name: string, fields: FieldLookup, notes: Notes): void {
  if (name.length < NAME_LENGTH_MIN || /[<>=]/u.test(name) || !notes.takeHint()) return;
  const nearest = fields.nearest(name);
  if (nearest.length === 0) return;
  const message = `"${name}" is not a field, so "${name}:" was read as text. Similar fields: ${nearest.join(", ")}.`;
  notes.warn("QUERY_FIELD_UNKNOWN", message, { value: name, nearest });
}

/** Warns about an unknown name in a syntax that only fields have: `foo:(a OR b)`. */
export function noteUnknownUse(name: string, use: string, fields: FieldLookup, notes: Notes): void {
  const nearest = notes.takeHint() ? fields.nearest(name) : [];
  const message = `"${name}" is not a field, so ${use} was read as plain words.`;
  notes.fallBack("QUERY_FIELD_UNKNOWN", message, { value: name, nearest: nearest.length === 0 ? undefined : nearest });
}

/** Warns that boosts are ignored. */
export function noteBoost(notes: Notes): void {
  notes.warn("QUERY_BOOST_IGNORED", "Boosts (^2) have no effect.");
}

/** Warns that a text was read as a node, and shows the node. */
export function noteReading(written: string, node: QueryNode, notes: Notes): void {
  const value = written.trim();
  notes.fallBack("QUERY_READ_AS", `"${value}" was read as ${printQuery(node)}`.replace(/\.?$/u, "."), { value });
}
