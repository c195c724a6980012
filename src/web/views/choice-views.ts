import type { RecordSorts } from "../../services/search/record-sorts.js";
import type { SearchAddress } from "./address-of-search.js";
import type { Look } from "./look.js";
import type { Pairs } from "./paths.js";
import { labelOfColumn, type ShownFields, unitsOf } from "./shown-fields.js";
import { UNIT_PREFIX } from "./view-parameters.js";

/** One order of a list. */
export interface SortView {
  readonly name: string;
  readonly isCurrent: boolean;
  /** Of an order by a field: its label, and which values come first. */
  readonly by?: { readonly label: string; readonly isDate: boolean; readonly isLargest: boolean };
}

/** All orders: those that every list has, then each field up and down. */
export function sortViews(shown: ShownFields, { names, find }: RecordSorts, sortBy: string): readonly SortView[] {
  const sorted = new Set(names);
  const byField = [...shown.fields.values()]
    // By `created` are those that every list has.
    .filter(({ id }) => sorted.has(id) && id !== "created")
    .flatMap(({ id, label, type }) =>
      [id, `-${id}`].flatMap((text): readonly SortView[] => {
        const name = find(text)?.name ?? text;
        const by = { label, isDate: type === "date", isLargest: text !== id };
        return [{ name, isCurrent: name === sortBy, by }];
      }),
    );
  return [...plainSorts(["bestmatch", "newest", "oldest"], sortBy), ...byField];
}

export const plainSorts = (names: readonly string[], sortBy: string): readonly SortView[] =>
  names.map((name) => ({ name, isCurrent: name === sortBy }));

/** What the columns of a table are chosen from. */
export interface ColumnChoice {
  /** Of the elements that are the rows; empty where records are. */
  readonly ofElements: readonly Choosable[];
  readonly ofRecords: readonly Choosable[];
  readonly lists: readonly { readonly name: string; readonly label: string; readonly isCurrent: boolean }[];
  readonly isMatched: boolean;
  /** What the form carries beside. */
  readonly carried: Pairs;
}

interface Choosable {
  readonly name: string;
  readonly label: string;
  readonly isShown: boolean;
}

export function columnChoice(
  shown: ShownFields,
  { columns, rows, isMatched }: Look,
  address: SearchAddress,
): ColumnChoice {
  const ofElements = rows === undefined ? new Map<string, string>() : shown.columnsOf(rows);
  const others = [...shown.fields.values()].filter(({ id }) => !ofElements.has(id)).map(({ id }) => id);
  // What the address names otherwise, by a path, stays.
  const unlisted = columns.filter((name) => !ofElements.has(name) && !shown.fields.has(name));
  const choosable = (names: Iterable<string>): readonly Choosable[] =>
    [...names].map((name) => ({ name, label: labelOfColumn(shown, name, rows), isShown: columns.includes(name) }));
  return {
    ofElements: choosable(ofElements.keys()),
    ofRecords: choosable([...others, ...unlisted]),
    lists: [...shown.lists].map(([name, label]) => ({ name, label, isCurrent: name === rows })),
    isMatched,
    carried: address.without(COLUMN_PARAMETERS).pairs,
  };
}

const COLUMN_PARAMETERS: ReadonlySet<string> = new Set(["cols", "rows", "matched"]);

/** A unit for each quantity that a page shows. */
export interface UnitChoice {
  readonly quantities: readonly UnitOptions[];
  /** What the form carries beside. */
  readonly carried: Pairs;
}

interface UnitOptions {
  /** Of its parameter. */
  readonly parameter: string;
  readonly label: string;
  readonly units: readonly { readonly name: string; readonly isCurrent: boolean }[];
}

/** @param names of fields that are shown; those without units, and with one only, are left out */
export function unitChoice(
  shown: ShownFields,
  { units }: Look,
  names: Iterable<string>,
  address: SearchAddress,
): UnitChoice {
  const wanted = new Set([...names, ...units.keys()]);
  const fields = [...shown.fields.values()].filter(({ id }) => wanted.has(id));
  const quantities = fields.flatMap(({ id, label }): readonly UnitOptions[] => {
    const options = unitsOf(shown, id).map((unit) => ({ name: unit.name, isCurrent: units.get(id) === unit }));
    return options.length < 2 ? [] : [{ parameter: UNIT_PREFIX + id, label, units: options }];
  });
  return {
    quantities,
    carried: address.without(new Set(quantities.map(({ parameter }) => parameter))).pairs,
  };
}
