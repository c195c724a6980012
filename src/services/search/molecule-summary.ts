import type {
  MoleculeContent,
  MoleculeFigure,
  MoleculePartner,
  MoleculeResult,
} from "../../core/answers/molecule-answers.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import { recordTitle } from "../../core/citable/describe-record.js";
import { type Figure, type IdentifiedMolecule, interactionsOf, moleculesIn } from "../../core/citable/molecules.js";
import { textAt, valueLabel, valuesAt } from "../../core/citable/values-at.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import { isObject, type JsonObject, own } from "../../core/json.js";
import { compareMoleculeIds, skeletonId } from "../../core/pasted-identifiers.js";
import type { RecordBody } from "../../core/record.js";
import { compareKeywords } from "../../query/text/analyse.js";

/** Successors of replaced ids of terms, by these ids. */
export type Successors = ReadonlyMap<string, string>;

/** Numbers of records by a key, with what is shown of the key. */
class Tally<Value> {
  readonly #entries = new Map<string, { readonly value: Value; records: number }>();

  /** Counts a record for each distinct key. Further keys than `ENTRIES_MAX` are left out. */
  add(entries: Iterable<readonly [key: string, value: Value]>): void {
    for (const [key, value] of new Map(entries)) {
      const entry = this.#entries.get(key) ?? { value, records: 0 };
      if (entry.records === 0 && this.#entries.size >= ENTRIES_MAX) continue;
      entry.records += 1;
      this.#entries.set(key, entry);
    }
  }

  /** Returns the entries, the most frequent one first; of equally frequent ones, the one with the first key. */
  list(max = LIST_MAX): readonly (Value & { readonly records: number })[] {
    const sorted = [...this.#entries].sort(([a, x], [b, y]) => y.records - x.records || compareKeywords(a, b));
    return sorted.slice(0, max).map(([, { value, records }]) => ({ ...value, records }));
  }
}

/** Maximum lengths of the lists of an answer. */
const LIST_MAX = 20;
const PARTNERS_MAX = 50;
const RESULTS_MAX = 50;

/** Maximum numbers of different entries and partners that are counted, so that large records cannot fill the memory. */
const ENTRIES_MAX = 1_000;
const COUNTED_PARTNERS_MAX = 10_000;

/** Maximum length of a sequence that is shown, in letters: the longest known proteins have fewer than 50,000. */
const SEQUENCE_LENGTH_MAX = 100_000;

interface CountedPartner {
  readonly ids: Set<string>;
  readonly names: Tally<{ readonly name: string }>;
  readonly records: Set<string>;
  best?: Figure;
}

/** A molecule as one record has it. */
interface Occurrence {
  /** Ids of the object and of its parts. */
  readonly ids: readonly IdentifiedMolecule[];
  readonly object: JsonObject;
}

interface OrderedResult {
  readonly result: MoleculeResult;
  readonly order: number;
}

/** Summarises what the published records with an id of a molecule say about it. */
export class MoleculeSummary {
  read = 0;
  readonly #names = new Tally<{ readonly name: string }>();
  readonly #identifiers = new Tally<{ readonly id: string; readonly url?: string | undefined }>();
  readonly #organisms = new Tally<{ readonly id?: string; readonly name: string }>();
  readonly #variants = new Tally<{ readonly name: string }>();
  readonly #sequences = new Tally<{ readonly sequence: string }>();
  readonly #models = new Tally<{ readonly name: string; readonly title: string }>();
  readonly #partners: CountedPartner[] = [];
  readonly #partnersById = new Map<string, CountedPartner>();
  /** By names in lower case. */
  readonly #partnersByName = new Map<string, CountedPartner>();
  #results: readonly OrderedResult[] = [];

  constructor(
    readonly id: string,
    readonly catalog: Catalog,
  ) {}

  /** Adds a record. @param successors those of the replaced terms that it cites */
  add(body: RecordBody, successors: Successors): void {
    const model = this.catalog.models.get(body.model)!;
    const { molecules } = model;
    if (molecules === undefined) return;
    this.read += 1;
    this.#models.add([[model.name, { name: model.name, title: model.shortTitle }]]);
    const occurrences = valuesAt({ metadata: body.metadata }, molecules.path)
      .filter(isObject)
      .map((object) => {
        const ids = moleculesIn(object, molecules.ids).map((each) => ({
          ...each,
          id: successors.get(each.id) ?? each.id,
        }));
        return { object, ids };
      });
    this.#describe(occurrences, model);
    this.#addResults(body, model, occurrences);
  }

  content(): Omit<MoleculeContent, "records" | "aggregations" | "term"> {
    const names = this.#names.list();
    return {
      id: this.id,
      name: names[0]?.name ?? this.id,
      read: this.read,
      names,
      identifiers: this.#identifiers.list(),
      organisms: this.#organisms.list(),
      variants: this.#variants.list(),
      sequences: this.#sequences.list(),
      models: this.#models.list(),
      partners: this.#sortedPartners(),
      results: this.#results.map(({ result }) => result),
    };
  }

  #isThis(id: string): boolean {
    return id === this.id || skeletonId(id) === this.id;
  }

  /** Counts names, organisms and so on of the objects that have the id: molecules, or parts of them. */
  #describe(occurrences: readonly Occurrence[], { describe }: Model): void {
    const all = occurrences.flatMap(({ ids }) => ids);
    const holders = new Set(all.filter(({ id }) => this.#isThis(id)).map(({ holder }) => holder));
    const objects = [...holders];
    const { organism, sequence, variant } = describe.molecules ?? {};
    const textsAt = (path: string | undefined) =>
      path === undefined
        ? []
        : objects.flatMap((object) => valuesAt(object, path)).flatMap((each) => valueLabel(each) ?? []);
    const named = (text: string) => [text.toLowerCase(), { name: text }] as const;
    this.#names.add(objects.flatMap((object) => textAt(object, "name") ?? []).map(named));
    const ids = all.flatMap(({ holder, id }) => (holders.has(holder) && id !== this.id ? [id] : []));
    this.#identifiers.add(ids.map((id) => [id, { id, url: recogniseIdentifier(id)?.url }]));
    const organisms = organism === undefined ? [] : objects.flatMap((object) => valuesAt(object, organism));
    this.#organisms.add(
      organisms.flatMap((value) => {
        const [id, name] = [isObject(value) ? own(value, "id") : undefined, valueLabel(value)];
        return name === undefined ? [] : [[name, typeof id === "string" ? { id, name } : { name }] as const];
      }),
    );
    this.#variants.add(textsAt(variant).map(named));
    const sequences = textsAt(sequence).map((text) => text.replaceAll(/\s/g, "").toUpperCase());
    const readable = sequences.filter(({ length }) => length <= SEQUENCE_LENGTH_MAX);
    this.#sequences.add(readable.map((text) => [text, { sequence: text }]));
  }

  #addResults(body: RecordBody, model: Model, occurrences: readonly Occurrence[]): void {
    const idsByObject = new Map(occurrences.map(({ object, ids }) => [object, ids]));
    const [main] = model.page.head?.figures.keys() ?? [];
    const results: OrderedResult[] = [];
    for (const { molecules, figures } of interactionsOf(body.metadata, model)) {
      const isAbout = (object: JsonObject) => idsByObject.get(object)?.some(({ id }) => this.#isThis(id)) === true;
      if (!molecules.some(isAbout)) continue;
      const best = figures.find(({ quantity }) => quantity === main);
      const partners = molecules
        .filter((object) => !isAbout(object))
        .map((object) => {
          // Ids of parts are not those of a complex.
          const ids = (idsByObject.get(object) ?? []).flatMap(({ id, holder }) => (holder === object ? [id] : []));
          const partner = { id: ids.toSorted(compareMoleculeIds)[0], name: valueLabel(object) ?? "" };
          this.#addPartner(body.id, ids, partner.name, best);
          return partner;
        });
      if (partners.length === 0 && figures.length === 0) continue;
      results.push({
        order: best?.order ?? Number.POSITIVE_INFINITY,
        result: {
          record: body.id,
          model: model.name,
          title: recordTitle(body, model),
          created: body.created,
          with: partners.slice(0, PARTNERS_MAX),
          figures: figures.map(figureAnswer),
        },
      });
    }
    const sorted = [...this.#results, ...results].sort((a, b) => a.order - b.order || 0);
    this.#results = sorted.slice(0, RESULTS_MAX);
  }

  #addPartner(record: string, ids: readonly string[], name: string, best: Figure | undefined): void {
    const key = name.toLowerCase();
    const partner = this.#findPartner(ids, key) ?? this.#newPartner();
    if (partner === undefined) return;
    for (const id of ids) {
      partner.ids.add(id);
      if (!this.#partnersById.has(id)) this.#partnersById.set(id, partner);
    }
    if (!this.#partnersByName.has(key)) this.#partnersByName.set(key, partner);
    partner.names.add([[key, { name }]]);
    partner.records.add(record);
    if (best !== undefined && best.order < (partner.best?.order ?? Number.POSITIVE_INFINITY)) partner.best = best;
  }

  /** Returns the partner with one of the ids. Without ids on one side, the first one with the name. */
  #findPartner(ids: readonly string[], name: string): CountedPartner | undefined {
    const [same] = ids.flatMap((id) => this.#partnersById.get(id) ?? []);
    const namesake = this.#partnersByName.get(name);
    return same ?? (ids.length === 0 || namesake?.ids.size === 0 ? namesake : undefined);
  }

  #newPartner(): CountedPartner | undefined {
    if (this.#partners.length >= COUNTED_PARTNERS_MAX) return undefined;
    const partner: CountedPartner = { ids: new Set(), names: new Tally(), records: new Set() };
    this.#partners.push(partner);
    return partner;
  }

  #sortedPartners(): readonly MoleculePartner[] {
    const order = ({ best }: CountedPartner): number => best?.order ?? Number.POSITIVE_INFINITY;
    const sorted = this.#partners.sort((a, b) => b.records.size - a.records.size || order(a) - order(b) || 0);
    return sorted.slice(0, PARTNERS_MAX).map(({ ids, names, records, best }) => ({
      id: [...ids].sort(compareMoleculeIds)[0],
      name: names.list(1)[0]?.name ?? "",
      records: records.size,
      best: best && figureAnswer(best),
    }));
  }
}

function figureAnswer({ quantity, measured: { value = 0, unit, error }, from }: Figure): MoleculeFigure {
  const bounds = error && {
    lower: error.lower,
    upper: error.upper,
    ...(error.isRelative ? { is_relative: true as const } : {}),
  };
  return { quantity, value, unit, error: bounds, ...(from === undefined ? {} : { derived: true as const, from }) };
}
