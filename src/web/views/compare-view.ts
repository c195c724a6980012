import { peopleOf } from "../../core/citable/people.js";
import { isObject, own } from "../../core/json.js";
import { elementsOf, type Item, membersOf, type SectionView } from "./record-sections.js";
import { drawn, isInline, QUANTITY, quantityText, type RecordContext, type Words } from "./value-view.js";

/** A record of a comparison, as its page would show it. */
export interface Compared {
  readonly sections: readonly SectionView[];
  readonly drawing: RecordContext;
}

/** Rows of one section, of all records. */
export interface ComparedSection {
  readonly name: string;
  readonly title: string;
  readonly differing: readonly ComparedRow[];
  readonly equal: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly label: string;
  /** One for each record; undefined where a record has no such value. */
  readonly cells: readonly (string | undefined)[];
}

interface Line {
  readonly key: string;
  readonly label: string;
  readonly text: string;
}

/** What records say, field by field. Elements of lists stand side by side by their names, else by their places. */
export function compareRecords(records: readonly Compared[], words: Words): readonly ComparedSection[] {
  const titles = new Map(records.flatMap(({ sections }) => sections.map(({ name, title }) => [name, title] as const)));
  return [...titles].map(([name, title]) => {
    const rows = new Map<string, { label: string; cells: (string | undefined)[] }>();
    for (const [i, { sections, drawing }] of records.entries()) {
      const items = sections.find((section) => section.name === name)?.items ?? [];
      const lines = items.flatMap((item) =>
        linesOf(item, items.length === 1 ? [] : [item.field.title], { drawing, words }),
      );
      for (const { key, label, text } of lines) {
        const row = rows.get(key) ?? { label, cells: records.map(() => undefined) };
        row.cells[i] = row.cells[i] === undefined ? text : `${row.cells[i]}; ${text}`;
        rows.set(key, row);
      }
    }
    const all = [...rows.values()];
    const isEqual = ({ cells }: ComparedRow): boolean => cells.every((cell) => cell === cells[0]);
    return { name, title, differing: all.filter((row) => !isEqual(row)), equal: all.filter(isEqual) };
  });
}

interface Drawing {
  readonly drawing: RecordContext;
  readonly words: Words;
}

function linesOf(item: Item, labels: readonly string[], context: Drawing, key = item.path): readonly Line[] {
  const { drawing, words } = context;
  if (isInline(item, drawing, words)) {
    return [{ key, label: labels.join(" › ") || item.field.title, text: textOf(item, context) }];
  }
  if (Array.isArray(item.value)) {
    return elementsOf(item).flatMap((each, i) => {
      const name = nameOf(each) ?? String(i + 1);
      return linesOf(each, [...labels, name], context, `${key}[${name}]`);
    });
  }
  const amount = isObject(item.value) ? quantityText(item.value) : undefined;
  const members = membersOf(item).filter(({ path }) => {
    const name = path.slice(path.lastIndexOf(".") + 1);
    return name !== "id" && !(amount !== undefined && QUANTITY.has(name));
  });
  const whole = amount === undefined ? [] : [{ key: `${key}.value`, label: labels.join(" › "), text: amount }];
  return [
    ...whole,
    ...members.flatMap((each) =>
      linesOf(each, [...labels, each.field.title], context, `${key}.${each.path.slice(item.path.length + 1)}`),
    ),
  ];
}

function nameOf({ value }: Item): string | undefined {
  if (!isObject(value)) return undefined;
  const name = own(value, "name") ?? own(value, "id");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Does a value need no label: a name, or an object that has one? */
const isNamed = ({ path, value }: Item): boolean => path.endsWith(".name") || isObject(value);

/** A value as one text. */
function textOf(item: Item, context: Drawing): string {
  const view = drawn(item, context.drawing, context.words);
  switch (view.kind) {
    case "scalar":
    case "quantity":
    case "reference":
      return view.text;
    case "term":
      return view.title;
    case "person":
      return peopleOf([item.value])[0]?.name ?? "";
    case "list":
      return elementsOf(item)
        .map((each) => textOf(each, context))
        .join(", ");
    default:
      return membersOf(item)
        .filter(({ path }) => !path.endsWith(".id"))
        .map((each) => `${isNamed(each) ? "" : `${each.field.title.toLowerCase()} `}${textOf(each, context)}`)
        .join(" ");
  }
}
