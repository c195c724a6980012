import { escapePointer } from "../declarations/json-positions.js";
import { isObject, type Json, type JsonObject } from "../json.js";

/** How much of a record is shown. */
export interface BeginningLimits {
  /** Values of a record, lists and objects included. One with more is cut: each long list, then what is left over. */
  readonly values: number;
  /** Length of a single text, in UTF-16 units. */
  readonly textLength: number;
}

/** The part of a record that a page shows. */
export interface Beginning {
  readonly metadata: JsonObject;
  /** Is anything missing? */
  readonly isCut: boolean;
  /** The lengths of lists that were cut, by their JSON pointers. */
  readonly listLengths: ReadonlyMap<string, number>;
}

/** Elements of each list, and members of each object, of a record with too many values: the most that fit are taken. */
const ENTRIES_TRIED = [50, 10, 3];

/** Objects have more members than lists have elements that are worth reading. */
const MEMBERS_PER_ELEMENT = 4;

/**
 * Returns the beginning of a record: long texts end with an ellipsis, and if the record has too many values, long lists
 * end early. A record within the limits is returned as it is.
 *
 * @param metadata stands at the pointer `/metadata`
 */
export function beginningOf(metadata: JsonObject, limits: BeginningLimits): Beginning {
  const { values } = limits;
  const isLong = countValues(metadata, values, Number.POSITIVE_INFINITY) > values;
  const fitting = ENTRIES_TRIED.find((entries) => countValues(metadata, values, entries) <= values);
  const entries = isLong ? (fitting ?? ENTRIES_TRIED.at(-1)!) : Number.POSITIVE_INFINITY;
  const listLengths = new Map<string, number>();
  const state: Cutting = { entries, textLength: limits.textLength, left: values, isCut: false, listLengths };
  const beginning = cut(metadata, "/metadata", state) as JsonObject;
  return { metadata: state.isCut ? beginning : metadata, isCut: state.isCut, listLengths };
}

/** Returns the beginning of a text, with an ellipsis if it is longer. @param length in UTF-16 units */
export function beginningOfText(text: string, length: number): string {
  if (text.length <= length) return text;
  // No surrogate may stand alone at the end.
  const end = /[\uD800-\uDBFF]/.test(text[length - 1]!) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

interface Cutting {
  readonly entries: number;
  readonly textLength: number;
  readonly listLengths: Map<string, number>;
  /** Values that may still follow. */
  left: number;
  isCut: boolean;
}

/** Counts the values within lists and objects that end early; stops above `max`. */
function countValues(value: Json, max: number, entries: number): number {
  const inner = Array.isArray(value)
    ? value.slice(0, entries)
    : isObject(value)
      ? Object.values(value).slice(0, entries * MEMBERS_PER_ELEMENT)
      : undefined;
  if (inner === undefined) return 1;
  let count = 1;
  for (const each of inner) {
    count += countValues(each, max - count, entries);
    if (count > max) break;
  }
  return count;
}

function cut(value: Json, pointer: string, state: Cutting): Json {
  state.left -= 1;
  if (typeof value === "string" && value.length > state.textLength) {
    state.isCut = true;
    return beginningOfText(value, state.textLength);
  }
  if (Array.isArray(value)) {
    const inner: Json[] = [];
    for (const each of value) {
      if (inner.length >= state.entries || state.left <= 0) break;
      inner.push(cut(each, `${pointer}/${inner.length}`, state));
    }
    if (inner.length < value.length) {
      state.isCut = true;
      state.listLengths.set(pointer, value.length);
    }
    return inner;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const members: [string, Json][] = [];
  for (const name of names) {
    if (members.length >= state.entries * MEMBERS_PER_ELEMENT || state.left <= 0) break;
    members.push([name, cut(value[name]!, `${pointer}/${escapePointer(name)}`, state)]);
  }
  if (members.length < names.length) state.isCut = true;
  return Object.fromEntries(members);
}
