import type { FieldChange } from "../catalog/merge-term.js";

/**
 * What a load does to an item that was there. `merged`: another item replaces it from now on. `withdrawn`: it is
 * deprecated, and nothing replaces it. `renamed`: it has another title in some language, whatever else changes too.
 */
export const LOAD_KINDS = ["merged", "withdrawn", "renamed", "changed"] as const;
export type LoadKind = (typeof LOAD_KINDS)[number];

/** The first of them that is so. */
export function loadKind(fields: readonly FieldChange[]): LoadKind {
  const to = (name: string): FieldChange["to"] => fields.find(({ field }) => field === name)?.to;
  if (to("replaced_by") !== undefined) return "merged";
  if (to("status") === "deprecated") return "withdrawn";
  return fields.some(({ field }) => field.startsWith("title.")) ? "renamed" : "changed";
}
