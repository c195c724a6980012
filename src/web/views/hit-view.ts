import type { Caches } from "../../core/caches.js";
import type { Field } from "../../core/catalog/field-tree.js";
import { fieldsAt } from "../../core/catalog/list-fields.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Result } from "../../core/citable/citable.js";
import { derivedQuantities, resultOf } from "../../core/citable/derived-quantities.js";
import { measuredPart, recordTitle } from "../../core/citable/describe-record.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { kindInWords, readNumberError, resultsOf } from "../../core/citable/record-results.js";
import { fieldValues, textAt, valueLabel } from "../../core/citable/values-at.js";
import { cacheByName } from "../../core/collections.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type { RecordHit } from "../../services/api/searches.js";
import { shortKind, symbolsOf, symbolsText, termName, type Vocabularies } from "../notation/names.js";
import {
  derivedQuantity,
  type Quantity,
  readQuantity,
  richQuantity,
  unitlessNumberText,
} from "../notation/quantity.js";
import { joinWithSeparator, plainText, type RichText, splitHighlights, textOfHtml } from "../notation/rich-text.js";
import { lookOf, type NumberLook, READABLE } from "../notation/unit-choice.js";
import { type Compound, compoundsOf, type Picture } from "./compounds.js";

/** Record as a list shows it. */
export interface HitView {
  readonly id: string;
  readonly title: string;
  /** Title as HTML, with `em` around the matches. */
  readonly marked?: string;
  readonly model: string;
  /** Short title of the model. */
  readonly modelTitle: string;
  /** Place of the model among all models, which decides its mark in lists. */
  readonly modelIndex: number;
  readonly version: number;
  readonly isLatest: boolean;
  readonly created: string;
  readonly people: readonly string[];
  readonly results: readonly ResultView[];
  /** Number of results that are not shown. */
  readonly resultsLeft: number;
  /** Values of the fields that the model declares for lists. */
  readonly facts: readonly Fact[];
  readonly matches: readonly MatchView[];
  /** Whether the title contains all matching words. */
  readonly isTitleMatch: boolean;
  /** Compounds that the record describes. */
  readonly compounds: readonly Compound[];
  /** Pictures of the compounds. Empty until `addPictures` looks them up. */
  readonly pictures: readonly Picture[];
}

/** A measured number. */
interface ResultView {
  /** Symbol of the quantity, or else its kind. */
  readonly symbol: RichText;
  readonly kind: string;
  readonly quantity: Quantity;
  /** Name of the quantity in queries. */
  readonly name?: string | undefined;
}

/** Value of a field of a record. */
export interface Fact {
  /** Name of the field. */
  readonly name: string;
  readonly label: string;
  readonly text: RichText;
  /** Tooltips of its numbers. */
  readonly quantities: readonly Quantity[];
}

/** Place in a record that matches the query. */
interface MatchView {
  readonly path: string;
  /** Titles of the place in the schema: `Molecules › Name`. */
  readonly label: string;
  /** Parts of the text as HTML, with `em` around the matches. */
  readonly fragments: readonly string[];
}

const RESULTS_MAX = 4;
const MATCHES_MAX = 2;

/** Sources of a model's declarations. */
interface ModelSources {
  readonly catalog: Pick<Catalog, "models" | "vocabularies">;
  readonly fieldsOf: (model: Model) => Field;
}

/** Makes the view of a hit. @param look how numbers are shown; default: readable */
export type MakeHitView = (hit: RecordHit, look?: NumberLook) => HitView;

/** Bytes that a view takes per UTF-16 unit of the record's text, at most: those of the text. */
const BYTES_PER_UNIT = 2;

/**
 * Returns a function that makes the views of hits. It caches views by the text of the record, because parsing a record
 * is expensive, and searches often find the same records. Matches and numbers in chosen units are not cached.
 */
export function makeHitViews(
  { catalog: { models, vocabularies }, fieldsOf }: ModelSources,
  caches: Caches,
): MakeHitView {
  const names = [...models.keys()];
  const placesOf = cacheByName((model: Model) => makePlaces(model, fieldsOf(model)));
  const cache = caches.open("hits");
  const read = ({ id, json, model, elementsLeft }: RecordHit, look: NumberLook): RecordView => {
    const isReadable = look.units.size === 0 && !look.isDeposited;
    const cachedView = isReadable ? cache.get<RecordView>(json) : undefined;
    if (cachedView !== undefined) return cachedView;
    const isWhole = elementsLeft === undefined;
    const view = {
      ...recordView(storedBody({ id, json }), models.get(model)!, vocabularies, { look, isWhole }),
      modelIndex: names.indexOf(model),
    };
    if (isReadable) cache.set(json, view, BYTES_PER_UNIT * json.length);
    return view;
  };
  return (hit, look = READABLE) => {
    const view = read(hit, look);
    const model = models.get(hit.model)!;
    const list = model.describe.results?.path;
    const resultsLeft = view.resultsLeft + (hit.elementsLeft?.get(list ?? "") ?? 0);
    const marked = markedTitle(hit, model, view.title);
    const matches = matchViews(hit, model, placesOf(model));
    const titleWords = new Set(markedWords(marked.marked ?? ""));
    const isTitleMatch = matches.every((match) =>
      match.fragments.flatMap(markedWords).every((word) => titleWords.has(word)),
    );
    return { ...view, ...marked, resultsLeft, matches, isTitleMatch, pictures: [] };
  };
}

/** Part of the view that does not depend on the search. */
type RecordView = Omit<HitView, "marked" | "matches" | "isTitleMatch" | "pictures">;

/** @param isWhole whether the body has all results. Otherwise none is derived, because it may state the quantity */
function recordView(
  body: RecordBody,
  model: Model,
  vocabularies: Vocabularies,
  { look, isWhole }: { readonly look: NumberLook; readonly isWhole: boolean },
): Omit<RecordView, "modelIndex"> {
  const { roles, results: list } = model.describe;
  // `describeRecord` would also make the summary and the subjects, which take most of its time and are in no list.
  const people = peopleOf(fieldValues({ metadata: body.metadata }, roles.get("people")));
  const results = resultsOf(body.metadata, list);
  const derived = isWhole ? derivedResults(body.metadata, model, look) : [];
  return {
    id: body.id,
    title: beginning(recordTitle(body, model)),
    model: model.name,
    modelTitle: model.shortTitle,
    created: body.created,
    version: body.versions.index,
    isLatest: body.versions.is_latest,
    people: people.map(({ name }) => beginning(name)),
    ...mainResults(results, model, NO_LENGTHS, look, derived),
    facts: factsOfRecord(body, model, vocabularies, look),
    compounds: compoundsOf(body, model),
  };
}

const NO_LENGTHS: ReadonlyMap<string, number> = new Map();

/**
 * Returns the main results of a record: the first one of each kind, then others, in the order of the record. Also
 * returns the number of results that are left out.
 *
 * @param listLengths full lengths of shortened lists, by pointer
 * @param derived results that stand before the others
 */
export function mainResults(
  results: readonly Result[],
  model: Model,
  listLengths: ReadonlyMap<string, number>,
  look = READABLE,
  derived: readonly ResultView[] = [],
): Pick<HitView, "results" | "resultsLeft"> {
  const measured = [...derived, ...results.flatMap((result) => resultView(result, model, look) ?? [])];
  const kinds = new Set<string>();
  const isFirst = measured.map(({ kind }) => kinds.size < kinds.add(kind).size);
  const ranked = [...measured.keys()].sort((a, b) => Number(isFirst[b]) - Number(isFirst[a]) || a - b);
  const shown = new Set(ranked.slice(0, RESULTS_MAX));
  const list = model.describe.results?.path.replaceAll(".", "/") ?? "";
  const cut = Math.max(0, (listLengths.get(`/${list}`) ?? 0) - results.length);
  return { results: measured.filter((_, i) => shown.has(i)), resultsLeft: measured.length - shown.size + cut };
}

/** Makes the view of a result. Undefined if it has no number. */
export function resultView(result: Result, model: Model, look: NumberLook = READABLE): ResultView | undefined {
  const { kind } = result;
  const name = quantityOfKind(model, kind);
  const quantity = readQuantity(result, model.units, lookOf(look, name));
  return quantity && { symbol: shortKind(kind, symbolsOf(model)), kind: kindInWords(kind, model), quantity, name };
}

/** Returns the derived quantities of a record that its model's page filters by first, each once. */
function derivedResults(metadata: JsonObject, model: Model, look: NumberLook): readonly ResultView[] {
  const { fields, page, quantities, units } = model;
  const symbolByName = (name: string): string | undefined => fields.get(name)?.symbol;
  const derived = derivedQuantities(metadata, model).filter(({ name }) => page.facets.includes(name));
  const byName = new Map(derived.toReversed().map((each) => [each.name, each]));
  return [...byName.values()].flatMap(({ name, value, from }): readonly ResultView[] => {
    const sources = symbolsText(from, symbolByName);
    const quantity = derivedQuantity(resultOf(value, units), sources, units, lookOf(look, name));
    const [kind = name] = quantities.find((each) => each.name === name)?.where?.values() ?? [];
    if (quantity === undefined) return [];
    return [{ symbol: symbolsText([name], symbolByName), kind: kindInWords(kind, model), quantity, name }];
  });
}

/** Returns the name of the quantity whose only condition is this kind of result. */
function quantityOfKind({ quantities, describe: { results } }: Model, kind: string): string | undefined {
  if (results === undefined) return undefined;
  return quantities.find(
    ({ path, where }) => path === results.path && where?.size === 1 && where.get(results.kind) === kind,
  )?.name;
}

/** Returns the values of a record for the fields that its model declares for lists. */
export function factsOfRecord(
  body: RecordBody,
  model: Model,
  vocabularies: Vocabularies,
  look = READABLE,
): readonly Fact[] {
  const conditions = new Set(model.describe.roles.get("conditions")?.map(({ name }) => name));
  const measurement = measuredPart(body.metadata, model);
  return model.page.hit.flatMap((field): readonly Fact[] => {
    const { name, label } = field;
    const metadata = conditions.has(name) ? measurement : body.metadata;
    const site = model.termSites.find(({ path }) => field.paths.includes(path));
    const vocabulary = vocabularies.get(site?.vocabulary ?? "");
    const values = fieldValues({ metadata }, [field]).flatMap(
      (value) => shownNumber(value, model, lookOf(look, name)) ?? shownName(value, vocabulary) ?? [],
    );
    const distinct = [...new Map(values.map((each) => [plainText(each.text), each])).values()];
    if (distinct.length === 0) return [];
    const shown = distinct.slice(0, NAMES_MAX);
    const text = joinWithSeparator(
      shown.map((each) => each.text),
      ", ",
    );
    return [{ name, label, text, quantities: shown.flatMap(({ quantity }) => quantity ?? []) }];
  });
}

interface Shown {
  readonly text: RichText;
  readonly quantity?: Quantity;
}

/** Returns the number of a value, with its unit if it has one. Undefined if the value is no number. */
function shownNumber(value: Json, { units }: Model, look: ReturnType<typeof lookOf>): Shown | undefined {
  if (typeof value === "number") return { text: unitlessNumberText(value) };
  const number = isObject(value) ? own(value, "value") : undefined;
  if (!isObject(value) || typeof number !== "number") return undefined;
  const measured = { value: number, unit: textAt(value, "unit"), error: readNumberError(own(value, "value_error")) };
  const quantity = readQuantity(measured, units, look)!;
  return { text: richQuantity(quantity), quantity };
}

function shownName(value: Json, vocabulary: ReturnType<Vocabularies["get"]>): Shown | undefined {
  const text = valueLabel(value);
  return text === undefined ? undefined : { text: termName(vocabulary, beginning(text)) };
}

const beginning = (text: string): string => beginningOfText(text, LIMITS.listTextLengthMax);

const NAMES_MAX = 3;

/** Returns the title with its matches. Returns nothing if the highlighted text is only a part of the title. */
function markedTitle({ highlight = {} }: RecordHit, { describe }: Model, title: string): Pick<HitView, "marked"> {
  const paths = (describe.roles.get("title") ?? []).flatMap(({ paths }) => paths);
  const [marked] = paths.flatMap((path) => highlight[path] ?? []);
  return marked !== undefined && textOfHtml(marked) === title ? { marked } : {};
}

/** Returns the matches outside of the title, which shows its own matches. */
function matchViews({ highlight = {} }: RecordHit, model: Model, placeAt: PlaceAt): readonly MatchView[] {
  const titles = (model.describe.roles.get("title") ?? []).flatMap(({ paths }) => paths);
  return (
    Object.entries(highlight)
      // Numbers are among the results.
      .filter(([path, fragments]) => !titles.includes(path) && !fragments.flatMap(markedWords).every(isNumber))
      .slice(0, MATCHES_MAX)
      .map(([path, fragments]) => ({ ...placeAt(path), fragments }))
  );
}

const isNumber = (word: string): boolean => /^-?[\d.]+(e[+-]?\d+)?$/.test(word);

/** Returns the marked words of a text. */
const markedWords = (html: string): readonly string[] =>
  splitHighlights(html).flatMap((text, i) => (i % 2 === 0 ? [] : text.toLowerCase()));

/** Returns the short path and the label of a place in the records of a model. */
type PlaceAt = (path: string) => Pick<MatchView, "path" | "label">;

/** Returns a look-up that caches places. The schema bounds their number, and many hits match at the same place. */
function makePlaces({ roots }: Model, tree: Field): PlaceAt {
  const places = new Map<string, ReturnType<PlaceAt>>();
  return (path) => {
    const cachedPlace = places.get(path);
    if (cachedPlace !== undefined) return cachedPlace;
    const short = shortPath(path, roots);
    const place = { path: short, label: labelOfPath(path, short, tree) };
    places.set(path, place);
    return place;
  };
}

/** Returns the titles of a place and its parents in the schema, without the roots that queries omit. */
function labelOfPath(path: string, short: string, tree: Field): string {
  const steps = path.split(".");
  const named = short.split(".").length;
  const labels = steps.flatMap((_, i) => {
    const place = steps.slice(0, i + 1).join(".");
    return i < steps.length - named ? [] : (fieldsAt(tree, place)[0]?.title ?? []);
  });
  return labels.length === 0 ? short : labels.slice(-LABELS_MAX).join(" › ");
}

/** Maximum number of titles in a label. The innermost titles are the most specific ones. */
const LABELS_MAX = 2;

/** Returns a path without the root that queries may omit. */
export function shortPath(path: string, roots: readonly string[]): string {
  const root = roots.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? "";
  return path.slice(root.length);
}
