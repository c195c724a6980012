import { escapePointer, isObject, type Json, type JsonObject } from "../json.js";

/** Limits of the shown part of a record. */
interface BeginningLimits {
  /** Maximum number of values, including lists and objects. Longer records are cut: first long lists, then the rest. */
  readonly values: number;
  /** Length of a single text, in UTF-16 units. */
  readonly textLength: number;
  /** Page of each long list. Absent: lists are shown from their first element as far as there is room. */
  readonly pages?: ListPages;
}

/** Sizes that are the same on all pages of a record, so that each element of its lists is on exactly one page. */
export interface PageSizes {
  /** Number of elements on a page of a list. */
  readonly elements: number;
  /** Maximum number of shown members of an object. Infinite unless a single object exceeds the limit of a page. */
  readonly members: number;
}

/** Pages of the long lists of a record. */
export interface ListPages {
  readonly sizes: PageSizes;
  /** Returns the index of the first shown element. @param pointer of the list; @param length of the whole list */
  firstShownIndex(pointer: string, length: number): number;
}

/** The part of a record that a page shows. */
interface Beginning {
  readonly metadata: JsonObject;
  /** Whether a value was left out that no other page of a list shows. */
  readonly isCut: boolean;
  /** Full lengths of the lists that are shown in part, by JSON pointer. */
  readonly listLengths: ReadonlyMap<string, number>;
}

/** Maximum entries of lists for a record with too many values. The first number with which the record fits is used. */
const ENTRIES_TRIED = [50, 10, 3];

/** Factor for members of objects, because they are more important to show than elements of lists. */
const MEMBERS_PER_ELEMENT = 4;

/** Page sizes in order of preference. The first ones with which the record fits are used. */
const PAGE_SIZES: readonly PageSizes[] = [Number.POSITIVE_INFINITY, 200, 20].flatMap((members) =>
  [50, 10, 3, 1].map((elements) => ({ elements, members })),
);

/** Returns the sizes with which no page of the lists of a record has more values than a page shows. */
export function pageSizesOf(metadata: JsonObject, values: number): PageSizes {
  return PAGE_SIZES.find((sizes) => countLargestPage(metadata, values, sizes) <= values) ?? PAGE_SIZES.at(-1)!;
}

/** Counts the values of a page that shows the largest page of each list. Stops counting above `max`. */
function countLargestPage(value: Json, max: number, sizes: PageSizes): number {
  if (Array.isArray(value)) {
    let largest = 0;
    for (let start = 0; start < value.length && largest < max; start += sizes.elements) {
      let count = 0;
      for (let i = start; i < Math.min(start + sizes.elements, value.length) && count < max; i++) {
        count += countLargestPage(value[i]!, max - count, sizes);
      }
      largest = Math.max(largest, count);
    }
    return 1 + largest;
  }
  if (!isObject(value)) return 1;
  let count = 1;
  for (const each of Object.values(value).slice(0, sizes.members)) {
    count += countLargestPage(each, max - count, sizes);
    if (count > max) break;
  }
  return count;
}

/**
 * Returns the beginning of a record, or one page of it: long texts end with an ellipsis, and if the record has too many
 * values, long lists end early. A record within the limits is returned as it is.
 *
 * @param metadata the value at the pointer `/metadata`
 */
export function beginningOf(metadata: JsonObject, limits: BeginningLimits): Beginning {
  const { values, textLength, pages } = limits;
  const isLong = pages === undefined ? countValues(metadata, values, Number.POSITIVE_INFINITY) > values : false;
  const isWhole = !isLong && (pages?.sizes.members ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY;
  if (isWhole && isWithin(metadata, pages?.sizes.elements ?? Number.POSITIVE_INFINITY, textLength))
    return { metadata, isCut: false, listLengths: new Map() };
  const fitting = ENTRIES_TRIED.find((entries) => countValues(metadata, values, entries) <= values);
  const entries = isLong ? (fitting ?? ENTRIES_TRIED.at(-1)!) : Number.POSITIVE_INFINITY;
  const listLengths = new Map<string, number>();
  const state: Cutting = {
    entries,
    members: pages?.sizes.members ?? entries * MEMBERS_PER_ELEMENT,
    pages,
    textLength,
    left: values,
    isCut: false,
    listLengths,
  };
  const beginning = cut(metadata, "/metadata", state) as JsonObject;
  return { metadata: beginning, isCut: state.isCut, listLengths };
}

/** Returns whether no list and no text of a value is longer than the given lengths. */
function isWithin(value: Json, listLength: number, textLength: number): boolean {
  if (typeof value === "string") return value.length <= textLength;
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if (Array.isArray(value) && value.length > listLength) return false;
  return inner.every((each) => isWithin(each, listLength, textLength));
}

/** Returns the beginning of a text, with an ellipsis if it is longer. @param length in UTF-16 units */
export function beginningOfText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Avoids an unpaired surrogate at the end.
  const end = /[\uD800-\uDBFF]/.test(text[length - 1]!) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

interface Cutting {
  readonly entries: number;
  readonly members: number;
  readonly pages: ListPages | undefined;
  readonly textLength: number;
  readonly listLengths: Map<string, number>;
  /** Number of values that may still follow. */
  left: number;
  isCut: boolean;
}

/** Counts values, with at most `entries` (may be infinite) of each list or object. Stops counting above `max`. */
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
    const { pages } = state;
    const start = pages?.firstShownIndex(pointer, value.length) ?? 0;
    const end = pages === undefined ? value.length : Math.min(start + pages.sizes.elements, value.length);
    const inner: Json[] = [];
    for (let i = start; i < end; i++) {
      // Elements of a page are never left out, because no other page has them. They lack members if there is no room.
      if (pages === undefined && (inner.length >= state.entries || state.left <= 0)) break;
      inner.push(cut(value[i]!, `${pointer}/${i}`, state));
    }
    if (inner.length < end - start) state.isCut = true;
    if (inner.length < value.length) state.listLengths.set(pointer, value.length);
    return inner;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const members: [string, Json][] = [];
  for (const name of names) {
    if (members.length >= state.members || state.left <= 0) break;
    members.push([name, cut(value[name]!, `${pointer}/${escapePointer(name)}`, state)]);
  }
  if (members.length < names.length) state.isCut = true;
  return Object.fromEntries(members);
}
