/** Lists of similar objects as tables: what is the same in all rows stands once, in the caption. */
import type { NumberColumn } from "../notation/columns.js";
import { numberColumn } from "../notation/columns.js";
import { type Quantity, unitOfColumn } from "../notation/quantity.js";
import { distinctValues, flatElements, plainValueText, valueKey } from "./value-text.js";
import { type Item, measuredOf, quantityIn } from "./value-view.js";

/** Values with their label. */
export interface LabelledValues {
  readonly title: string;
  readonly values: readonly Item[];
}

/** A list of objects as a table. */
export interface SeriesView {
  readonly columns: readonly SeriesColumn[];
  readonly rows: readonly SeriesRow[];
  /** Values that all rows have in common: those of the shown page of a long list. */
  readonly shared: readonly LabelledValues[];
}

interface SeriesColumn {
  readonly title: string;
  readonly help: string | undefined;
  /** How the numbers stand. Absent: not every cell is a single quantity. */
  readonly numbers?: NumberColumn | undefined;
  /** The number in each row, if `numbers` is present. Those of one dimension have one unit. */
  readonly quantities: readonly (Quantity | undefined)[];
}

interface SeriesRow {
  readonly item: Item;
  readonly name: string | undefined;
  /** Values of each column. */
  readonly cells: readonly (readonly Item[])[];
}

/** Maximum length of a text in a column that is not declared, in UTF-16 units. */
const TEXT_LENGTH_MAX = 60;
const COLUMNS_MAX = 7;

/** A value below an element, with the fields around it. */
interface Leaf {
  readonly titles: readonly string[];
  readonly values: Item[];
}

/**
 * Returns a list of objects as a table. Its columns are the values at any depth below the elements.
 *
 * @param declared paths of the columns below the elements. Default: all values except ids and long texts
 */
export function seriesOf(list: Item, declared?: readonly string[]): SeriesView {
  const elements = list.elements;
  const leaves = elements.map((each) => leavesBelow(each));
  const paths = declared ?? [...new Set(leaves.flatMap((each) => [...each.keys()]))].filter((path) => path !== "name");
  const columns = paths.flatMap((path) => {
    const cells = leaves.map((each) => commonValues(each.get(path)?.values ?? []));
    const titles = leaves.map((each) => each.get(path)?.titles).find(Boolean);
    const texts = cells.map((values) => values.map(plainValueText).join("; "));
    const isShort = declared !== undefined || texts.every((text) => text.length <= TEXT_LENGTH_MAX);
    const keys = cells.map((values) => values.map(valueKey).join());
    return titles === undefined || !isShort ? [] : [{ titles, cells, keys }];
  });
  const isShared = ({ keys }: (typeof columns)[number]): boolean => keys.every((key) => key === keys[0]);
  const labels = labelsOf(columns.map(({ titles }) => titles));
  const labelled = columns.map((column, i) => ({ ...column, title: labels[i]! }));
  const shared = labelled.filter(isShared);
  const varying = labelled.filter((each) => !isShared(each)).slice(0, declared === undefined ? COLUMNS_MAX : undefined);
  return {
    columns: varying.map(({ title, cells }) => ({ title, help: helpOf(cells), ...columnAlignment(cells) })),
    rows: elements.map((item, i) => ({ item, name: seriesName(item), cells: varying.map(({ cells }) => cells[i]!) })),
    shared: shared.map(({ title, cells }) => ({ title, values: cells[0]! })),
  };
}

/** Returns the values below an element by their path, through objects and lists. */
function leavesBelow(element: Item): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const collect = (item: Item, path: string, titles: readonly string[]): void => {
    for (const member of item.members) {
      if (member.name === "id") continue;
      const [below, around] = [path === "" ? member.name : `${path}.${member.name}`, [...titles, member.field.title]];
      for (const each of flatElements(member)) {
        if (each.isPlain) {
          const leaf = leaves.get(below) ?? { titles: around, values: [] };
          leaf.values.push(each);
          leaves.set(below, leaf);
        } else collect(each, below, around);
      }
    }
  };
  collect(element, "", []);
  return leaves;
}

/** Returns several equal values as one. Others stay in their order, because those of other columns belong to them. */
function commonValues(values: readonly Item[]): readonly Item[] {
  const distinct = distinctValues(values);
  return distinct.length === 1 ? distinct : values;
}

/** Returns the title of each column. If several columns have the same title, the titles around it precede it. */
function labelsOf(titles: readonly (readonly string[])[]): readonly string[] {
  const labelAt = (each: readonly string[], depth: number): string =>
    each
      .slice(-depth)
      .map((title, i) => (i === 0 ? title : title.toLowerCase()))
      .join(": ");
  return titles.map((each) => {
    const depth = each.findIndex((_, i) => {
      const label = labelAt(each, i + 1);
      return titles.filter((other) => labelAt(other, i + 1) === label).length === 1;
    });
    return labelAt(each, depth === -1 ? each.length : depth + 1);
  });
}

function seriesName({ members }: Item): string | undefined {
  const name = members.find((each) => each.name === "name");
  return name === undefined ? undefined : plainValueText(name).trim() || undefined;
}

const helpOf = (cells: SeriesRow["cells"]): string | undefined => cells.flat()[0]?.field.help;

/** Returns the numbers of a column and how they stand, if all its cells are single quantities. */
function columnAlignment(cells: SeriesRow["cells"]): Pick<SeriesColumn, "numbers" | "quantities"> {
  const items = cells.map(([first, ...rest]) =>
    rest.length === 0 && first?.view.kind === "quantity" ? first : undefined,
  );
  const known = items.flatMap((item) => (item === undefined ? [] : [item]));
  if (known.length === 0 || known.length < cells.filter(({ length }) => length > 0).length) return { quantities: [] };
  const { units, isDeposited } = known[0]!.context;
  const measured = known.flatMap((item) => (item.quantity?.whole === "" ? [] : (measuredOf(item) ?? [])));
  const unit = isDeposited ? undefined : unitOfColumn(measured, units);
  const quantities = items.map((item) => item && quantityIn(item, unit));
  return { numbers: numberColumn(quantities.flatMap((each) => each ?? [])), quantities };
}
