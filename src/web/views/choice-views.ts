import type { RecordSorts } from "../../services/search/record-sorts.js";
import { plainText } from "../notation/rich-text.js";
import { unitLabel } from "../notation/unit-choice.js";
import { fieldUnits, type Look, labelOfColumn, type ShownFields } from "./look.js";
import { NUMBERS_PARAMETER, type Pairs, type SearchAddress, UNIT_PREFIX } from "./page-addresses.js";

/** A sort order that a page offers. */
export interface SortView {
  readonly name: string;
  readonly isCurrent: boolean;
  /** Label of the field, and which values come first. Absent for orders that every list has. */
  readonly by?: { readonly label: string; readonly isDate: boolean; readonly isLargest: boolean };
}

/** Returns all sort orders: those that every list has, then each field ascending and descending. */
export function sortViews(shown: ShownFields, { names, find }: RecordSorts, sortBy: string): readonly SortView[] {
  const sorted = new Set(names);
  const byField = [...shown.fields.values()]
    // `newest` and `oldest` sort by `created`.
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

/** Returns sort orders that have no direction. */
export const plainSorts = (names: readonly string[], sortBy: string): readonly SortView[] =>
  names.map((name) => ({ name, isCurrent: name === sortBy }));

/** Columns that a reader can choose for a table. */
export interface ColumnChoice {
  /** Columns of list elements. Empty if the rows are records. */
  readonly ofElements: readonly Choosable[];
  readonly ofRecords: readonly Choosable[];
  readonly lists: readonly { readonly name: string; readonly label: string; readonly isCurrent: boolean }[];
  readonly isMatched: boolean;
  /** Hidden fields of the form. */
  readonly carried: Pairs;
  /** Address of the page with the default columns. Absent: it has them. */
  readonly reset?: string | undefined;
}

interface Choosable {
  readonly name: string;
  readonly label: string;
  readonly isShown: boolean;
}

/** Returns the rows and columns that a reader can choose, and the chosen ones. */
export function columnChoice(
  shown: ShownFields,
  { columns, rows, isMatched }: Look,
  address: SearchAddress,
): ColumnChoice {
  const ofElements = rows === undefined ? new Map<string, string>() : shown.columnsOf(rows);
  const ofRecords = [...shown.fields.values()].filter(({ id }) => !ofElements.has(id)).map(({ id }) => id);
  // Columns that the address names by a path are kept.
  const unlisted = columns.filter((name) => !ofElements.has(name) && !shown.fields.has(name));
  const choosable = (names: Iterable<string>): readonly Choosable[] =>
    [...names].map((name) => ({ name, label: labelOfColumn(shown, name, rows), isShown: columns.includes(name) }));
  return {
    ofElements: choosable(ofElements.keys()),
    ofRecords: choosable([...ofRecords, ...unlisted]),
    lists: [...shown.lists].map(([name, label]) => ({ name, label, isCurrent: name === rows })),
    isMatched,
    ...withoutChoice(address, COLUMN_PARAMETERS),
  };
}

/** Returns the fields of a form and the address of a page without some parameters. */
function withoutChoice(address: SearchAddress, names: ReadonlySet<string>) {
  const without = address.without(names);
  const isDefault = without.pairs.length === address.pairs.length;
  return { carried: without.pairs, reset: isDefault ? undefined : String(without) };
}

const COLUMN_PARAMETERS: ReadonlySet<string> = new Set(["cols", "rows", "matched"]);

/** Choice of a unit for each quantity on a page. */
export interface UnitChoice {
  readonly quantities: readonly UnitOptions[];
  /** Whether all other numbers are shown as deposited. */
  readonly isDeposited: boolean;
  /** Hidden fields of the form. */
  readonly carried: Pairs;
  /** Address of the page without chosen units. Absent: none is chosen. */
  readonly reset?: string | undefined;
}

interface UnitOptions {
  /** Name of the parameter with the chosen unit. */
  readonly parameter: string;
  readonly label: string;
  readonly units: readonly { readonly name: string; readonly label: string; readonly isCurrent: boolean }[];
}

/** Returns the units to choose from. @param names shown fields; fields with fewer than two units are ignored */
export function unitChoice(
  shown: ShownFields,
  { units, isDeposited }: Look,
  names: Iterable<string>,
  address: SearchAddress,
): UnitChoice {
  const fieldNames = new Set([...names, ...units.keys()]);
  const fields = [...shown.fields.values()].filter(({ id }) => fieldNames.has(id));
  const quantities = fields.flatMap(({ id, label }): readonly UnitOptions[] => {
    const options = fieldUnits(shown, id).map((unit) => {
      const written = plainText(unitLabel(shown.models[0]?.units, unit.name));
      return { name: unit.name, label: written === "" ? unit.name : written, isCurrent: units.get(id) === unit };
    });
    return options.length < 2 ? [] : [{ parameter: UNIT_PREFIX + id, label, units: options }];
  });
  return {
    quantities,
    isDeposited,
    ...withoutChoice(address, new Set([NUMBERS_PARAMETER, ...quantities.map(({ parameter }) => parameter)])),
  };
}
