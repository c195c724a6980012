/** The rows of a comparison that readers look at first: molecules, results in one unit, conditions, method. */
import type { Model } from "../../core/catalog/types.js";
import { type Figure, interactionsOf, moleculesIn } from "../../core/citable/molecules.js";
import { convertNumber } from "../../core/citable/record-results.js";
import { isObject, type JsonObject } from "../../core/json.js";
import { findUnit, type Units } from "../../core/units/units.js";
import { symbolsText } from "../notation/names.js";
import { derivedQuantity, type Quantity, readQuantity, richQuantity } from "../notation/quantity.js";
import { concatTexts, joinWithSeparator, plainText, type RichText } from "../notation/rich-text.js";
import { type ComparedCell, ratioText } from "./compare-view.js";
import type { Fact } from "./hit-view.js";
import type { CardView, SectionContent } from "./section-content.js";
import { writtenText } from "./value-text.js";

/** The parts of a record that the summary of a comparison needs. */
interface SummedRecord {
  readonly metadata: JsonObject;
  readonly model: Model;
  /** Values of the fields that lists show. */
  readonly facts: readonly Fact[];
  readonly sections: readonly { readonly title: string; readonly content: SectionContent }[];
}

/** Rows with a title. */
export interface SummaryGroup {
  readonly name: "molecules" | "results" | "conditions";
  readonly rows: readonly SummaryRow[];
}

/** A row of the summary of a comparison. */
export interface SummaryRow {
  readonly label: RichText;
  /** A cell for each record. Undefined if a record has no such value. */
  readonly cells: readonly (ComparedCell | undefined)[];
  readonly isEqual: boolean;
}

/** Makes the summary of some records. @param moleculeLabel label of the row of a molecule */
export function summaryOf(
  records: readonly SummedRecord[],
  moleculeLabel: (number: number) => string,
): readonly SummaryGroup[] {
  const molecules = moleculeRows(records).map((cells, i) => textRow([moleculeLabel(i + 1)], cells));
  const groups: readonly SummaryGroup[] = [
    { name: "molecules", rows: molecules },
    { name: "results", rows: figureRows(records) },
    { name: "conditions", rows: [...factRows(records), ...lineRows(records)] },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function textRow(label: RichText, texts: readonly (RichText | undefined)[]): SummaryRow {
  const isEqual = new Set(texts.map((text) => text && plainText(text))).size === 1;
  return { label, isEqual, cells: texts.map((text) => text && { text }) };
}

/** A molecule of several records. */
interface AlignedMolecule {
  readonly ids: Set<string>;
  readonly names: Set<string>;
  readonly cells: (RichText | undefined)[];
}

/** Aligns the molecules of records: they share an id, or have equal names. */
function moleculeRows(records: readonly SummedRecord[]): readonly (readonly (RichText | undefined)[])[] {
  const rows: AlignedMolecule[] = [];
  for (const [i, { sections, model }] of records.entries()) {
    for (const card of cardsOf(sections, model)) {
      const { value } = card.item;
      const ids = isObject(value)
        ? moleculesIn(value, model.molecules!.ids).filter(({ holder }) => holder === value)
        : [];
      const name = card.name?.toLowerCase();
      const isSame = (row: AlignedMolecule): boolean =>
        row.cells[i] === undefined &&
        (ids.some(({ id }) => row.ids.has(id)) || (name !== undefined && row.names.has(name)));
      let row = rows.find(isSame);
      if (row === undefined) {
        row = { ids: new Set(), names: new Set(), cells: records.map(() => undefined) };
        rows.push(row);
      }
      for (const { id } of ids) row.ids.add(id);
      if (name !== undefined) row.names.add(name);
      row.cells[i] = joinWithSeparator([card.name ?? "", writtenText(card.line)].flatMap(nonEmpty), " · ");
    }
  }
  return rows.map(({ cells }) => cells);
}

function cardsOf(sections: SummedRecord["sections"], { molecules }: Model): readonly CardView[] {
  return sections.flatMap(({ content }) =>
    content.form === "cards" && content.list.path === molecules?.path ? content.cards : [],
  );
}

const nonEmpty = (text: RichText | string): readonly RichText[] => {
  const rich = typeof text === "string" ? [text] : text;
  return plainText(rich) === "" ? [] : [rich];
};

/** Returns a row for each quantity of the heads of the records: the numbers of the pair with the best first one. */
function figureRows(records: readonly SummedRecord[]): readonly SummaryRow[] {
  const figures = records.map(({ metadata, model }) => mainFigures(metadata, model));
  const names = new Set(records.flatMap(({ model }) => [...(model.page.head?.figures.keys() ?? [])]));
  const findSymbol = (name: string): string | undefined =>
    records.map(({ model }) => model.fields.get(name)?.symbol).find((symbol) => symbol !== undefined);
  return [...names].flatMap((name): readonly SummaryRow[] => {
    const ofRecords = figures.map((each) => each.find(({ quantity }) => quantity === name));
    if (ofRecords.every((figure) => figure === undefined)) return [];
    const isEqual = new Set(ofRecords.map((figure) => figure?.order.toPrecision(DIGITS))).size === 1;
    const cells = figureCells(ofRecords, records[0]!.model.units, findSymbol);
    return [{ label: symbolsText([name], findSymbol), cells, isEqual }];
  });
}

/** Digits in which equal numbers agree after a conversion. */
const DIGITS = 10;

function mainFigures(metadata: JsonObject, model: Model): readonly Figure[] {
  const interactions = interactionsOf(metadata, model).map(({ figures }) => figures);
  for (const name of model.page.head?.figures.keys() ?? []) {
    const orderOf = (figures: readonly Figure[]): number | undefined =>
      figures.find(({ quantity }) => quantity === name)?.order;
    const having = interactions.filter((figures) => orderOf(figures) !== undefined);
    const [best] = having.toSorted((a, b) => orderOf(a)! - orderOf(b)!);
    if (best !== undefined) return best;
  }
  return [];
}

/** Returns numbers in the unit in which the first one is shown, with their ratios to it. */
function figureCells(
  figures: readonly (Figure | undefined)[],
  units: Units,
  symbolOf: (name: string) => string | undefined,
): SummaryRow["cells"] {
  const first = figures.find((figure) => figure !== undefined);
  const read = ({ measured, from }: Figure, to?: ReturnType<typeof findUnit>): Quantity | undefined =>
    from === undefined
      ? readQuantity(measured, units, to)
      : derivedQuantity(measured, symbolsText(from, symbolOf), units, to);
  const unitOfFirst = first && findUnit(units, plainText(read(first)?.unit ?? []));
  return figures.map((figure): ComparedCell | undefined => {
    const quantity = figure && read(figure, unitOfFirst);
    if (figure === undefined || quantity === undefined) return undefined;
    const ratio = figure === first || first === undefined ? undefined : ratioOf(figure, first, units);
    return { text: richQuantity(quantity), quantity, ratio };
  });
}

function ratioOf({ measured }: Figure, { measured: first }: Figure, units: Units): string | undefined {
  const [own, to] = [measured, first].map(({ unit }) => (unit === undefined ? undefined : findUnit(units, unit)));
  if (own === undefined || to === undefined || measured.value === undefined || first.value === undefined)
    return undefined;
  const ratio = own.dimension === to.dimension ? convertNumber(measured.value, own, to) / first.value : Number.NaN;
  const text = Number.isFinite(ratio) && ratio > 0 ? ratioText(ratio) : "×1";
  return text === "×1" ? undefined : text;
}

function factRows(records: readonly SummedRecord[]): readonly SummaryRow[] {
  const labels = new Map(records.flatMap(({ facts }) => facts.map(({ name, label }) => [name, label] as const)));
  return [...labels].map(([name, label]) =>
    textRow(
      [label],
      records.map(({ facts }) => facts.find((fact) => fact.name === name)?.text),
    ),
  );
}

/** Returns a row for each section that is a line of text. */
function lineRows(records: readonly SummedRecord[]): readonly SummaryRow[] {
  const lines = records.map(({ sections }) =>
    sections.flatMap(({ title, content }) => {
      if (content.form !== "line") return [];
      const texts = content.lines.map(({ line }) => writtenText(line)).flatMap(nonEmpty);
      return texts.length === 0 ? [] : [[title, joinWithSeparator(texts, "; ")] as const];
    }),
  );
  const titles = new Set(lines.flatMap((each) => each.map(([title]) => title)));
  return [...titles].map((title) =>
    textRow(
      [title],
      lines.map((each) => joinedAt(each, title)),
    ),
  );
}

function joinedAt(lines: readonly (readonly [title: string, text: RichText])[], title: string): RichText | undefined {
  const texts = lines.flatMap(([each, text]) => (each === title ? [text] : []));
  return texts.length === 0 ? undefined : concatTexts(...texts);
}
