/**
 * The catalog as the service uses it: declarations read, checked and compiled once at start (`compile-*.ts`).
 * A *path* names properties from the root of a record's body without array indices:
 * `metadata.general_parameters.entities_of_interest.source_organism.id`.
 */
import type { JsonObject } from "../json.js";
import type { Description, Page } from "./description.js";
import type { Place } from "./places.js";
import type { Units } from "./unit-types.js";

/** How a leaf compares: as a number, as a date, or as a keyword (text and booleans). Every leaf is text as well. */
export type LeafType = "number" | "date" | "keyword";

/** How much a match in a leaf weighs in `bestmatch`. */
export type WeightClass = "title" | "heavy" | "rest";

/**
 * Kind of identifier that a text holds. `inchikey` identifies a compound; its isotopes and stereoisomers have the same
 * first 14 letters. `project_number` identifies a funded project; people cite it in several forms.
 */
export type LeafKind = (typeof LEAF_KINDS)[number];
export const LEAF_KINDS = ["inchikey", "project_number"] as const;

/** A declared leaf of a record or of a term. */
export interface Leaf {
  readonly path: string;
  readonly type: LeafType;
  readonly weight: WeightClass;
  /** Path of the nearest array of objects around the leaf; "" at record level. */
  readonly elementPath: string;
  /** The number that stands for "not known" here and is not indexed (schema keyword `x-not-known`). */
  readonly notKnown?: number;
  /** Of a text (schema keyword `x-kind`). */
  readonly kind?: LeafKind;
  /** Is it found by its whole value only, in any case of its letters; a number as a number? Then it has no words. */
  readonly isWhole?: true;
  /** Of a number beside a `unit` in the same object: what its unit may be. */
  readonly quantity?: Quantity;
}

/** A number with a unit. It is indexed as it stands at its own path, and converted at further ones: quantities.ts. */
export interface Quantity {
  /** Names of the dimensions that it may have, the usual one first; none where any unit may stand. */
  readonly dimensions: readonly string[];
  /** Path at which the usual dimension is indexed; absent: it follows from the leaf's path, as for the others. */
  readonly named?: string;
}

/**
 * A quantity that the elements of a list hold where their own texts say so: `kd` in the results whose `type` is
 * "Constant of dissociation KD". It is a leaf of its own, which no record has as such.
 */
export interface NamedQuantity {
  readonly name: string;
  /** Path of the array of objects. */
  readonly path: string;
  /** Names of texts of the element, each with the text that it must be. */
  readonly where: ReadonlyMap<string, string>;
  /** Name of the number in the element; its unit stands in `unit` beside it. */
  readonly value: string;
  /** Where the number is indexed as it stands, and what it can be compared with. */
  readonly leaf: Leaf & { readonly quantity: Quantity & { readonly named: string } };
}

/** A place in a model where a term is cited (schema keyword `x-vocabulary: {name, fields}`). */
export interface TermSite {
  readonly path: string;
  readonly vocabulary: string;
  /** Names of props that are copied flat beside `id` and `title`. */
  readonly fields: readonly string[];
}

/** A place that refers to another object of the same record (schema keyword `x-reference: {to, fields}`). */
export interface ReferenceSite {
  readonly path: string;
  /** Path of the array (of objects with an `id`) that holds the target. */
  readonly to: string;
  /** Names of fields copied from the target beside `id`. */
  readonly fields: readonly string[];
}

/** A short name of the query language. */
export interface ShortField {
  readonly name: string;
  /** As people read it, where that is neither the label of its facet nor its title in the schema. */
  readonly label?: string;
  /** Other names for the same, lower case. */
  readonly aliases?: readonly string[];
  readonly path: string;
  /** Further paths that the name stands for. */
  readonly morePaths?: readonly string[];
  /** Dimensions of a declared quantity, the usual one first: numbers compare by it and need a unit. */
  readonly dimensions?: readonly string[];
}

/** How the steps of a histogram, and its axis, grow. */
export type Scale = (typeof SCALES)[number];
export const SCALES = ["linear", "log"] as const;

/** What a facet counts. */
export type FacetValues =
  | {
      /** Each text. */
      readonly kind: "terms";
      /** Vocabulary whose titles label the keys; absent: the key is its own label. */
      readonly vocabulary?: string;
    }
  /** Each cited term and each of its ancestors. The vocabulary has a hierarchy, the path ends in `.id`. */
  | { readonly kind: "tree"; readonly vocabulary: string; readonly unlisted?: readonly string[] }
  /** Each year (UTC) of dates. */
  | { readonly kind: "year" }
  | {
      readonly kind: "histogram";
      /**
       * Numbers below, between and from edges, which ascend; one at least. Absent: equal steps between the smallest and
       * the largest number of the hits.
       */
      readonly edges?: readonly number[];
      /** How steps grow: by the same difference, or by the same factor. */
      readonly scale: Scale;
      /** What the numbers are in, for labels: `M`. */
      readonly unit?: string;
    };

/** A declared facet. Its name is a parameter that filters. */
export type Facet = FacetValues & {
  readonly name: string;
  readonly label: string;
  /** Path of the leaf whose values are counted. */
  readonly path: string;
  /** Of numbers: further paths, whose values are counted together with those. */
  readonly morePaths?: readonly string[];
  /** Counted only where it is asked for by name, or filters. */
  readonly onRequest?: true;
};

export interface Model {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: number;
  /** JSON Schema 2020-12 of `metadata`, with shared parts resolved into `$defs`. */
  readonly schema: JsonObject;
  /** A body that can be deposited and published as it stands: `{"metadata": {...}}`. */
  readonly example?: JsonObject;
  /** Prefixes that may be left out of a path in a query, with their dot: `metadata.`, `metadata.general_parameters.` */
  readonly roots: readonly string[];
  /** By path. Holds the fixed leaves of every record too: id, model, state, created, updated, parent.id. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** Paths of all arrays of objects, outer before inner. */
  readonly elementPaths: readonly string[];
  /** What the paths of metadata are, as a tree. */
  readonly places: Place;
  readonly termSites: readonly TermSite[];
  readonly references: readonly ReferenceSite[];
  /** What records of this model have, by path; another value is warned of. No path leads through a list. */
  readonly expected: ReadonlyMap<string, string>;
  /** Path of the text by which an import knows a document again that has no id; outside of lists. */
  readonly importKey?: string;
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, ShortField>;
  readonly quantities: readonly NamedQuantity[];
  readonly units: Units;
  readonly facets: readonly Facet[];
  readonly describe: Description;
  readonly page: Page;
}

/** A prop of a vocabulary's items. `object` and `list` hold text or numbers below. */
export interface Prop {
  readonly name: string;
  readonly title: string;
  readonly type: "text" | "number" | "boolean" | "list" | "object";
  /** Of a text, or of each text of a list. */
  readonly kind?: LeafKind;
  /** Is it found by its whole text, or as a number, only? Pieces of it are no words. */
  readonly isWhole?: true;
  /** What an object holds, by declaration; absent for the other types. */
  readonly properties?: readonly { readonly name: string; readonly type: "text" | "number" }[];
}

/** What the static rank of a term is made of, beside status, title length and id; larger sums come first. */
export interface Prior {
  /** Values of one prop, best first: `{prop: rank, order: [species, genus]}`. */
  readonly prop?: string;
  readonly order?: readonly string[];
  /** Adds the number of synonyms. */
  readonly synonyms?: boolean;
  /** Adds how many values these props have, which are lists. */
  readonly lists?: readonly string[];
  /** Adds the binary logarithm of one more than each of these counts: props that are numbers, and `synonyms`. */
  readonly numbers?: readonly string[];
}

export interface Vocabulary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The authority behind it (ror, pubchem, openaire, ncbi, iso639), if any. */
  readonly authority?: string;
  /** Regular expression that the whole id matches; see `hasIdForm`. */
  readonly idPattern: string;
  /** Prefixes of ids before the first colon (`taxid`), lower case: what makes `taxid:562` in a query an id. */
  readonly idPrefixes: readonly string[];
  /** Props whose values identify an item as its id does (a CAS number, `cid:962`). */
  readonly identifiers: readonly string[];
  /** Other ids of items, lower case: `eng` is `en`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Title languages in declared order; never empty. */
  readonly languages: readonly string[];
  readonly props: readonly Prop[];
  readonly hierarchy: boolean;
  /** The prop, a text, that has the structure of a compound in SMILES: what pictures are drawn from. */
  readonly structure?: string;
  /** Ids that facets list only where they are selected: they are too wide to say anything. */
  readonly unlisted?: readonly string[];
  /** What the ids identify beyond the item itself. */
  readonly idKind?: LeafKind;
  readonly units: Units;
  /** May any depositor add items? */
  readonly extensible: boolean;
  readonly prior: Prior;
  readonly facets: readonly Facet[];
  /** Leaves of an item: id, title, title.<lang>, synonyms, parent, status, props.<name>. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** File of starter items (JSON lines), loaded on the first start. */
  readonly starterFile?: string;
}

/** Everything that is served. Order is the declared one: alphabetical by name. */
export interface Catalog {
  readonly models: ReadonlyMap<string, Model>;
  readonly vocabularies: ReadonlyMap<string, Vocabulary>;
}
