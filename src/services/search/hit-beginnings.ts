import type { Caches } from "../../core/caches.js";
import { isObject, type Json, type JsonObject, own, unescapePointer } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { storedBody } from "../../core/record.js";
import { beginningOf } from "../../core/records/beginning.js";
import { startSlices } from "../../core/slices.js";
import type { RecordHit } from "../api/searches.js";

/** Length up to which lists contain a whole record, in UTF-16 units. Cutting it would take longer. */
const WHOLE_LENGTH_MAX = 32 * 1024;

/** Bytes of a string per UTF-16 unit, at most. */
const BYTES_PER_UNIT = 2;

/** The part of a large record that a list shows. */
type HitBeginning = Required<Pick<RecordHit, "json" | "elementsLeft">>;

/**
 * Makes a function that cuts large records of a list to their beginnings, so that any list is small. Each large record
 * is parsed in a separate slice.
 */
export function makeHitBeginnings(caches: Caches): (hits: readonly RecordHit[]) => Promise<readonly RecordHit[]> {
  const beginnings = caches.open("beginnings");
  const cut = (hit: RecordHit): HitBeginning => {
    const { json } = hit;
    const cached = beginnings.get<HitBeginning>(json);
    if (cached !== undefined) return cached;
    const body = storedBody(hit);
    const limits = { values: LIMITS.listValuesMax, textLength: LIMITS.listTextLengthMax };
    const { metadata, listLengths } = beginningOf(body.metadata, limits);
    const elementsLeft = countLeft(metadata, listLengths);
    const beginning = { json: JSON.stringify({ ...body, metadata }), elementsLeft };
    beginnings.set(json, beginning, BYTES_PER_UNIT * beginning.json.length);
    return beginning;
  };
  return async (hits) => {
    const slices = startSlices();
    const shown: RecordHit[] = [];
    for (const hit of hits) {
      if (hit.json.length <= WHOLE_LENGTH_MAX) {
        shown.push(hit);
        continue;
      }
      await slices.pause();
      shown.push({ ...hit, ...cut(hit) });
    }
    return shown;
  };
}

/** Counts the elements that lists lack, by path (the pointer without element numbers). */
function countLeft(metadata: JsonObject, listLengths: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const [pointer, length] of listLengths) {
    const steps = pointer.split("/").slice(1).map(unescapePointer);
    let list: Json | undefined = { metadata };
    for (const step of steps) {
      list = Array.isArray(list) ? list[Number(step)] : isObject(list) ? own(list, step) : undefined;
    }
    if (!Array.isArray(list)) continue;
    const path = steps.filter((step) => !/^\d+$/.test(step)).join(".");
    left.set(path, (left.get(path) ?? 0) + length - list.length);
  }
  return left;
}
