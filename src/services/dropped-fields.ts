import { isDeepStrictEqual } from "node:util";
import type { Warning } from "../core/issue.js";
import { type JsonObject, own } from "../core/json.js";
import { fieldOf, type Place } from "./issues.js";

/**
 * Warnings for what a client sent in an object that the service filled in itself: each value that the filled object
 * lacks or has otherwise, with the value, so that nothing typed is lost.
 *
 * @param silent keys that warn nothing
 * @param whose  ends the sentence `... was replaced by what <whose>.`
 */
export function droppedFields(
  sent: JsonObject,
  made: JsonObject,
  silent: readonly string[],
  code: "TERM_FIELD_REPLACED" | "REFERENCE_FIELD_REPLACED",
  whose: string,
  place: Place,
): Warning[] {
  const warnings: Warning[] = [];
  for (const [key, value] of Object.entries(sent)) {
    if (silent.includes(key)) continue;
    const now = own(made, key);
    if (now !== undefined && isDeepStrictEqual(now, value)) continue;
    const message =
      now === undefined ? `"${key}" is not copied here and was dropped.` : `"${key}" was replaced by what ${whose}.`;
    warnings.push({ code, message, field: fieldOf([...place, key]), value });
  }
  return warnings;
}
