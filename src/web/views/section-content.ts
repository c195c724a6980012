/** Sections of a record page in the forms that its model declares, or that the shape of the values gives. */
import type { Section } from "../../core/catalog/description.js";
import type { SentenceValue } from "../../core/catalog/sentence.js";
import type { Model } from "../../core/catalog/types.js";
import { checkRecord, type RecordCheck } from "../../core/citable/record-checks.js";
import { isPerson, mentionedPeople } from "../../core/citable/record-people.js";
import type { JsonObject } from "../../core/json.js";
import { richSymbol } from "../notation/names.js";
import { computedNumber, readQuantity, richQuantity } from "../notation/quantity.js";
import { concatTexts, type RichText } from "../notation/rich-text.js";
import { type Axis, axisOf } from "./axis-view.js";
import { moleculePageOf } from "./head-view.js";
import type { SectionView } from "./record-sections.js";
import { type ResultTable, resultTable } from "./result-table.js";
import { type SeriesView, seriesOf } from "./series-view.js";
import { type StripView, stripOf } from "./strip-view.js";
import { distinctValues, flatElements, itemsAt, type Written, writeSentence } from "./value-text.js";
import type { Item } from "./value-view.js";

/** Content of a section. */
export type SectionContent =
  | { readonly form: "members"; readonly items: readonly Item[] }
  | { readonly form: "results"; readonly list: Item; readonly table: ResultTable }
  | { readonly form: "line"; readonly list: Item | undefined; readonly lines: readonly LineView[] }
  | { readonly form: "cards"; readonly list: Item; readonly cards: readonly CardView[] }
  | { readonly form: "strip"; readonly list: Item; readonly strip: StripView }
  | { readonly form: "series"; readonly list: Item; readonly series: SeriesView; readonly axis: Axis | undefined }
  | { readonly form: "people"; readonly people: readonly PersonView[] }
  | { readonly form: "checks"; readonly checks: ChecksView };

/** A line of text, and the values from which it is written. */
export interface LineView {
  /** The object of the line. Undefined: the line is about the whole section. */
  readonly item: Item | undefined;
  readonly line: Written;
  readonly values: readonly Item[];
}

/** An object with its name, a line of text and other members. */
export interface CardView {
  readonly item: Item;
  readonly name: string | undefined;
  readonly line: Written;
  readonly members: readonly Item[];
  /** Address of the page of the molecule that the card is about. */
  readonly page: string | undefined;
}

/** A person with the roles in which the record mentions it. */
export interface PersonView {
  readonly item: Item;
  readonly roles: readonly string[];
  readonly affiliations: readonly Item[];
}

/** Outcomes of the checks of a record, those that differ first. */
export interface ChecksView {
  readonly lines: readonly CheckLine[];
  /** Number of outcomes by status. */
  readonly counts: Readonly<Record<CheckLine["status"], number>>;
  /** Number of outcomes that are not shown. */
  readonly left: number;
}

/** The outcome of a check as a page shows it. */
interface CheckLine {
  readonly status: RecordCheck["status"];
  readonly text: RichText;
  readonly formula: string;
}

/** Maximum number of outcomes on a page: as many as rows of a table. */
const CHECKS_MAX = 50;

/** Returns the outcomes of the checks of a record. Undefined if there are none. */
export function checksOf(metadata: JsonObject, model: Model): ChecksView | undefined {
  const outcomes = checkRecord(metadata, model);
  const withStatus = (status: CheckLine["status"]) => outcomes.filter((each) => each.status === status);
  const [differs, agrees, note] = [withStatus("differs"), withStatus("agrees"), withStatus("note")];
  const lines = [...differs, ...agrees, ...note].slice(0, CHECKS_MAX).map(({ status, about, text, formula }) => {
    const spans = text.map((span): RichText => {
      if (typeof span === "string") return [span];
      if ("symbol" in span) return richSymbol(span.symbol);
      if (span.unit === undefined && span.error === undefined) return computedNumber(Number(span.value));
      const quantity = readQuantity(span, model.units);
      return quantity === undefined ? [] : richQuantity(quantity);
    });
    const objects: RichText = about.length === 0 ? [] : [`${about.join(" · ")}: `];
    return { status, text: concatTexts(objects, ...spans), formula };
  });
  const counts = { agrees: agrees.length, differs: differs.length, note: note.length };
  return outcomes.length === 0 ? undefined : { lines, counts, left: outcomes.length - lines.length };
}

/** Returns the content of a section in its form. */
export function contentOf({ items, declaration }: SectionView, model: Model): SectionContent {
  const [list] = items;
  const form = declaration?.as;
  if (list === undefined || declaration === undefined) return { form: "members", items };
  const isList = items.length === 1 && Array.isArray(list.value);
  if (form === "line") return { form, list: isList ? list : undefined, lines: sectionLines(items, declaration) };
  if (form === "table" && isList && list.path === model.describe.results?.path) {
    return { form: "results", list, table: resultTable(list, model, declaration) };
  }
  if (form === "cards" && isList)
    return { form, list, cards: list.elements.map((item) => cardOf(item, declaration, model)) };
  if (form === "strip" && isList && declaration.along !== undefined) {
    const strip = stripOf(list, declaration.along, declaration.sentence);
    if (strip !== undefined) return { form, list, strip };
  }
  if (form === "series" && isList) {
    return { form, list, series: seriesOf(list, declaration.columns), axis: axisOf(list, declaration, model) };
  }
  const people = items.length === 1 ? peopleIn(list) : [];
  return people.length > 0 ? { form: "people", people } : { form: "members", items };
}

function sectionLines(items: readonly Item[], { sentence, paths }: Section): readonly LineView[] {
  if (sentence === undefined) return [{ item: undefined, line: [], values: items }];
  const [first] = items;
  if (paths.length > 1 || first === undefined) {
    return [{ item: undefined, line: writeSentence(sentence, first!.context.root()), values: items }];
  }
  return flatElements(first).map((item) => ({ item, line: writeSentence(sentence, item), values: membersOf(item) }));
}

/** Returns the members of an object without its name and its id, which lines and cards show elsewhere. */
const membersOf = ({ members }: Item): readonly Item[] =>
  members.filter(({ name }) => name !== "name" && name !== "id");

function cardOf(item: Item, { sentence }: Section, model: Model): CardView {
  const line = sentence === undefined ? [] : writeSentence(sentence, item);
  const writtenItems = line.flatMap((part) => (typeof part === "string" ? [] : part.pointer));
  const isWritten = ({ pointer }: Item): boolean =>
    writtenItems.some((each) => each === pointer || each.startsWith(`${pointer}/`));
  const [name] = itemsAt(item, `${item.path}.name`);
  const writtenPaths = new Set(line.flatMap((part) => (typeof part === "string" ? [] : part.path)));
  // A value that stands for another one, or that everybody expects, is left out too.
  const places = sentence?.parts.flatMap(({ spans }) => spans.filter((span) => typeof span !== "string")) ?? [];
  const isDone = ({ paths, except }: SentenceValue): boolean =>
    except !== undefined || paths.some((path) => writtenPaths.has(path));
  const alternatives = new Set(places.filter(isDone).flatMap(({ paths }) => paths));
  return {
    item,
    name: typeof name?.value === "string" && name.value.trim() !== "" ? name.value : undefined,
    line,
    members: membersOf(item).filter((member) => !isWritten(member) && !alternatives.has(member.path)),
    page: item.path === model.molecules?.path ? moleculePageOf(item.value, model) : undefined,
  };
}

/** Returns the people in the members of an object, each once with its roles. */
function peopleIn(item: Item): readonly PersonView[] {
  const mentions = item.members.flatMap((member) =>
    flatElements(member).map((each) => ({ each, role: each.field.title || member.field.title })),
  );
  if (!mentions.every(({ each }) => isPerson(each.value))) return [];
  return mentionedPeople(mentions.map(({ each }) => each.value)).map(({ values }) => {
    const own = values.map((i) => mentions[i]!);
    return {
      item: own[0]!.each,
      roles: [...new Set(own.map(({ role }) => role))],
      affiliations: distinctValues(own.flatMap(({ each }) => itemsAt(each, `${each.path}.affiliations`))),
    };
  });
}
