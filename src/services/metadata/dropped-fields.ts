import { isDeepStrictEqual } from "node:util";
import type { Warning } from "../../core/issue.js";
import { type JsonObject, own } from "../../core/json.js";
import { type BodyPath, fieldOf, type Listed } from "../input/issues.js";

/** The sentence for one value: nothing of its name stands in its place, or something else does. */
type Describe = (what: { readonly key: string; readonly isDropped: boolean }) => string;

/**
 * Warns of what a client sent in an object that the service filled in itself: each value that the filled object
 * lacks or has otherwise, with the value, so that nothing typed is lost.
 *
 * @param silent keys that warn nothing
 */
export function warnOfDropped(
  warnings: Listed<Warning>,
  { sent, made, place }: { readonly sent: JsonObject; readonly made: JsonObject; readonly place: BodyPath },
  silent: readonly string[],
  code: "TERM_FIELD_REPLACED" | "REFERENCE_FIELD_REPLACED",
  describe: Describe,
): void {
  for (const [key, value] of Object.entries(sent)) {
    if (silent.includes(key)) continue;
    const now = own(made, key);
    if (now !== undefined && isDeepStrictEqual(now, value)) continue;
    const message = describe({ key, isDropped: now === undefined });
    warnings.add(() => ({ code, message, field: fieldOf([...place, key]), value }));
  }
}
