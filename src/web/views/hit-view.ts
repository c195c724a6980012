import { LRUCache } from "lru-cache";
import type { Field } from "../../core/catalog/field-tree.js";
import { fieldsAt } from "../../core/catalog/list-fields.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Unit } from "../../core/catalog/units.js";
import type { Result } from "../../core/citable/citable.js";
import { titleOf } from "../../core/citable/describe-record.js";
import { measuredPart } from "../../core/citable/measured.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { convertResult, resultsOf, writeResult } from "../../core/citable/record-results.js";
import { labelOf, textAt, valuesOf } from "../../core/citable/values-at.js";
import { cacheByName } from "../../core/collections.js";
import { isObject, type Json, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type { RecordHit } from "../../services/api/search-services.js";
import { type Compound, compoundsOf, type Picture } from "./compounds.js";
import { textOfHtml, withPowers } from "./texts.js";

/** A record as lists show it. */
export interface HitView {
  readonly id: string;
  readonly title: string;
  /** The title as HTML, with `em` around what matches in it. */
  readonly marked?: string;
  readonly model: string;
  readonly version: number;
  readonly isLatest: boolean;
  readonly created: string;
  readonly people: readonly string[];
  readonly results: readonly ResultView[];
  /** Results that are not shown. */
  readonly resultsLeft: number;
  /** What the model declares for lists. */
  readonly facts: readonly Fact[];
  readonly why: readonly Why[];
  /** What it is about, and how these look: empty until it was looked up. */
  readonly compounds: readonly Compound[];
  readonly pictures: readonly Picture[];
}

/** A number that was measured. */
export interface ResultView {
  /** `KD` of "Constant of dissociation KD": its symbol, where the name ends in one. */
  readonly symbol: string;
  readonly kind: string;
  readonly text: string;
  /** As it was deposited, where it is shown in another unit. */
  readonly deposited?: string;
  /** Name of the quantity in queries, where it has one. */
  readonly name?: string;
}

export interface Fact {
  /** Name of the field. */
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly deposited?: string;
}

type ShownUnits = ReadonlyMap<string, Unit>;
const NO_UNITS: ShownUnits = new Map();

/** Where a hit matches: fragments as HTML, with `em` around the matches. */
export interface Why {
  readonly path: string;
  /** What the schema calls that place: `Entities of interest › Name`. */
  readonly label: string;
  readonly fragments: readonly string[];
}

const RESULTS_MAX = 4;
const WHY_MAX = 2;

/** What models say of their records: what is declared, and the tree of their fields. */
interface Declared {
  readonly catalog: Pick<Catalog, "models">;
  readonly fieldsOf: (model: Model) => Field;
}

/** @param units what numbers are shown in, by the names of fields; others stand as deposited */
export type HitViews = (hit: RecordHit, units?: ShownUnits) => HitView;

/** Memory for hits that were read, in bytes. */
const READ_BYTES_MAX = 16 * 2 ** 20;

/** What a hit that was read takes, by unit of its text: the text, and less than it for its view. */
const BYTES_PER_UNIT = 4;

/**
 * Reads hits. To parse a record costs more than to show it in a list, and the next page, order or filter shows many of
 * the same: how one looks stays for a while, by its text. Where it matches, and numbers in other units, are made anew.
 */
export function makeHitViews({ catalog: { models }, fieldsOf }: Declared): HitViews {
  const placesOf = cacheByName((model: Model) => makePlaces(model, fieldsOf(model)));
  const known = new LRUCache<string, RecordView>({ maxSize: READ_BYTES_MAX });
  const read = ({ id, json, model }: RecordHit, units: ShownUnits): RecordView => {
    const before = units.size === 0 ? known.get(json) : undefined;
    if (before !== undefined) return before;
    const view = viewOf(storedBody({ id, json }), models.get(model)!, units);
    if (units.size === 0) known.set(json, view, { size: BYTES_PER_UNIT * json.length });
    return view;
  };
  return (hit, units = NO_UNITS) => {
    const view = read(hit, units);
    const model = models.get(hit.model)!;
    const list = model.describe.results?.path;
    const resultsLeft = view.resultsLeft + (hit.elementsLeft?.get(list ?? "") ?? 0);
    const marked = markedTitle(hit, model, view.title);
    return { ...view, ...marked, resultsLeft, why: whyOf(hit, model, placesOf(model)), pictures: [] };
  };
}

/** What does not depend on the search. */
type RecordView = Omit<HitView, "marked" | "why" | "pictures">;

function viewOf(body: RecordBody, model: Model, units: ShownUnits): RecordView {
  const { roles, results: list } = model.describe;
  // As `describeRecord` reads them; its summary and subjects, which take most of its time, are in no list.
  const people = peopleOf(valuesOf({ metadata: body.metadata }, roles.get("people")));
  const results = resultsOf(body.metadata, list);
  return {
    ...{ id: body.id, title: beginning(titleOf(body, model)), model: model.name, created: body.created },
    ...{ version: body.versions.index, isLatest: body.versions.is_latest },
    people: people.map(({ name }) => beginning(name)),
    ...meritsOf(results, model, NO_LENGTHS, units),
    facts: factsOf(body, model, units),
    compounds: compoundsOf(body, model),
  };
}

const NO_LENGTHS: ReadonlyMap<string, number> = new Map();

/**
 * Returns the main results of a record: the first one of each kind, then others, in the order of the record. Also
 * returns the number of results that are left out.
 *
 * @param listLengths full lengths of shortened lists, by pointer
 */
export function meritsOf(
  results: readonly Result[],
  model: Model,
  listLengths: ReadonlyMap<string, number>,
  units: ShownUnits = NO_UNITS,
): Pick<HitView, "results" | "resultsLeft"> {
  const measured = results.flatMap((result) => resultView(result, model, units) ?? []);
  const kinds = new Set<string>();
  const isFirst = measured.map(({ kind }) => kinds.size < kinds.add(kind).size);
  const ranked = [...measured.keys()].sort((a, b) => Number(isFirst[b]) - Number(isFirst[a]) || a - b);
  const shown = new Set(ranked.slice(0, RESULTS_MAX));
  const list = model.describe.results?.path.replaceAll(".", "/") ?? "";
  const cut = Math.max(0, (listLengths.get(`/${list}`) ?? 0) - results.length);
  return { results: measured.filter((_, i) => shown.has(i)), resultsLeft: measured.length - shown.size + cut };
}

/** A result that has a number. */
function resultView(result: Result, model: Model, units: ShownUnits): ResultView | undefined {
  const { kind } = result;
  const name = quantityOf(model, kind);
  const text = amountText(result, model, name === undefined ? undefined : units.get(name));
  return text && { symbol: symbolOf(kind), kind, ...text, ...(name === undefined ? {} : { name }) };
}

/** A number with its error and unit, in the unit that is wanted where it can be converted. */
function amountText(
  amount: Result,
  { units }: Model,
  to: Unit | undefined,
): Pick<ResultView, "text" | "deposited"> | undefined {
  const deposited = writeResult(amount);
  if (deposited === undefined) return undefined;
  const converted = to === undefined ? undefined : convertResult(amount, to, units);
  const text = converted === undefined ? deposited : writeResult(converted)!;
  return { text: withPowers(text), ...(text === deposited ? {} : { deposited: withPowers(deposited) }) };
}

/** Name of the quantity that a kind of result is: the one which asks for nothing else. */
function quantityOf({ quantities, describe: { results } }: Model, kind: string): string | undefined {
  if (results === undefined) return undefined;
  return quantities.find(
    ({ path, where }) => path === results.path && where.size === 1 && where.get(results.kind) === kind,
  )?.name;
}

/** The last word, where it is a symbol: `KD`, `kOn`, `deltaH`. */
function symbolOf(kind: string): string {
  const last = kind.split(" ").at(-1)!;
  const greek = /^delta([A-Z])$/.exec(last);
  if (greek !== null) return `Δ${greek[1]}`;
  return /[A-Z0-9]/.test(last.slice(1)) || /^[A-Z]{2}/.test(last) ? last : kind;
}

/** What a model declares for lists, where a record has it. */
export function factsOf(body: RecordBody, model: Model, units: ShownUnits = NO_UNITS): readonly Fact[] {
  const conditions = new Set(model.describe.roles.get("conditions")?.map(({ name }) => name));
  const measurement = measuredPart(body.metadata, model);
  return model.page.hit.flatMap((field): readonly Fact[] => {
    const { name, label } = field;
    const metadata = conditions.has(name) ? measurement : body.metadata;
    const values = valuesOf({ metadata }, [field]).map((value) => factText(value, model, units.get(name)));
    const texts = [...new Map(values.flatMap((each) => (each === undefined ? [] : [[each.text, each]]))).values()];
    if (texts.length === 0) return [];
    const shown = texts.slice(0, NAMES_MAX);
    const deposited = shown.flatMap((each) => each.deposited ?? []);
    return [
      {
        ...{ name, label, text: shown.map(({ text }) => text).join(", ") },
        ...(deposited.length === 0 ? {} : { deposited: deposited.join(", ") }),
      },
    ];
  });
}

function factText(value: Json, model: Model, to: Unit | undefined): Pick<Fact, "text" | "deposited"> | undefined {
  const number = to !== undefined && isObject(value) ? own(value, "value") : undefined;
  const unit = typeof number === "number" ? textAt(value, "unit") : undefined;
  if (typeof number === "number" && unit !== undefined)
    return amountText({ kind: "", value: number, unit, of: [] }, model, to);
  const text = labelOf(value);
  return text === undefined ? undefined : { text: beginning(text) };
}

const beginning = (text: string): string => beginningOfText(text, LIMITS.listTextLengthMax);

const NAMES_MAX = 3;

/** The whole title with its matches; nothing where a fragment is only a part of it. */
function markedTitle({ highlight = {} }: RecordHit, { describe }: Model, title: string): Pick<HitView, "marked"> {
  const paths = (describe.roles.get("title") ?? []).flatMap(({ paths }) => paths);
  const [marked] = paths.flatMap((path) => highlight[path] ?? []);
  return marked !== undefined && textOfHtml(marked) === title ? { marked } : {};
}

/** Where something beside the title matches: that one shows its own matches. */
function whyOf({ highlight = {} }: RecordHit, model: Model, placeAt: Places): readonly Why[] {
  const titles = (model.describe.roles.get("title") ?? []).flatMap(({ paths }) => paths);
  return Object.entries(highlight)
    .filter(([path]) => !titles.includes(path))
    .slice(0, WHY_MAX)
    .map(([path, fragments]) => ({ ...placeAt(path), fragments }));
}

/** What a place in the bodies of a model is called. */
type Places = (path: string) => Pick<Why, "path" | "label">;

/** Finds each once: there are no more than the schema has, and many hits match in the same. */
function makePlaces({ roots }: Model, tree: Field): Places {
  const known = new Map<string, ReturnType<Places>>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const short = shortPath(path, roots);
    const place = { path: short, label: labelOfPath(path, short, tree) };
    known.set(path, place);
    return place;
  };
}

/** Titles of a place and of what it stands in, as far as a query names them and the schema has them. */
function labelOfPath(path: string, short: string, tree: Field): string {
  const steps = path.split(".");
  const named = short.split(".").length;
  const labels = steps.flatMap((_, i) => {
    const place = steps.slice(0, i + 1).join(".");
    return i < steps.length - named ? [] : (fieldsAt(tree, place)[0]?.title ?? []);
  });
  return labels.length === 0 ? short : labels.slice(-LABELS_MAX).join(" › ");
}

/** What stands further out says less. */
const LABELS_MAX = 2;

/** A path without what a query may leave out at its beginning. */
export function shortPath(path: string, roots: readonly string[]): string {
  const root = roots.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? "";
  return path.slice(root.length);
}
