/**
 * The compiled catalog: declarations are read, checked and compiled once at startup (`compile-*.ts`).
 * A *path* names properties from the root of a record's body without array indices:
 * `metadata.general_parameters.entities_of_interest.source_organism.id`.
 */
import type { JsonObject } from "../json.js";
import type { Expression } from "../units/expression.js";
import type { Units } from "../units/units.js";
import type { Description, PageLayout } from "./description.js";
import type { FacetValues } from "./facet-kinds/facet-kinds.js";
import type { PathNode } from "./places.js";

/** How values of a leaf are compared: as numbers, dates, or keywords (text and booleans). Every leaf is also text. */
export type LeafType = "number" | "date" | "keyword";

/** The weight of a match in a leaf in `bestmatch`. */
export type WeightClass = "title" | "heavy" | "rest";

/**
 * Kind of identifier in a text. `inchikey` identifies a compound; isotopes and stereoisomers share the first 14
 * letters. `project_number` identifies a funded project, which is cited in several forms.
 */
export type LeafKind = (typeof LEAF_KINDS)[number];
/** All kinds of identifiers in texts. */
export const LEAF_KINDS = ["inchikey", "project_number"] as const;

/** A declared leaf of a record or of a term. */
export interface Leaf {
  readonly path: string;
  readonly type: LeafType;
  readonly weight: WeightClass;
  /** Path of the nearest array of objects around the leaf; "" at record level. */
  readonly elementPath: string;
  /** The number that stands for "not known" here and is not indexed (schema keyword `x-not-known`). */
  readonly notKnown?: number | undefined;
  /** Kind of a text (schema keyword `x-kind`). */
  readonly kind?: LeafKind | undefined;
  /** Set if only its whole value is indexed, case-insensitively, and not its words. */
  readonly isWhole?: true | undefined;
  /** Set for a number with a `unit` in the same object. */
  readonly quantity?: Quantity | undefined;
  /** Set for ids of molecules in their normal form, see `moleculeId`. */
  readonly isMoleculeId?: true;
}

/** A number with a unit. It is indexed unconverted at its own path, and converted at further paths: quantities.ts. */
export interface Quantity {
  /** Names of its allowed dimensions, the usual one first; none if all units are allowed. */
  readonly dimensions: readonly string[];
  /** Path of the usual dimension; absent: it follows from the leaf's path, as for the other dimensions. */
  readonly named?: string;
  /** Set for the values that are computed and not stated: `Derivation`. */
  readonly isDerived?: true;
}

/**
 * A quantity of the elements of a list that have certain texts: `kd` in the results whose `type` is "Constant of
 * dissociation KD". It is a leaf of its own, which does not exist in records.
 */
export interface NamedQuantity {
  readonly name: string;
  /** Path of the array of objects. */
  readonly path: string;
  /** Names of texts of the element, each with the text that it must be. Absent: no element states the quantity. */
  readonly where?: ReadonlyMap<string, string> | undefined;
  /** Name of the number in the element; its unit is in `unit`. */
  readonly value: string;
  /** The leaf of the unconverted number, with its dimensions. */
  readonly leaf: NamedLeaf;
  /** How the quantity is computed if no element of a group states it. */
  readonly derivation?: Derivation | undefined;
}

/** The leaf of a named quantity. */
export type NamedLeaf = Leaf & { readonly quantity: Quantity & { readonly named: string } };

/**
 * The ids of the molecules of a list, and the field that finds them. Its leaves do not exist in records: an index makes
 * their values from the ids in an object and in its parts.
 */
export interface MoleculeList {
  /** Name of the field. */
  readonly name: string;
  /** Path of the array of objects. */
  readonly path: string;
  /** Places of ids below an object: texts, or terms of a vocabulary. */
  readonly ids: readonly { readonly path: string; readonly vocabulary?: string }[];
  /** Leaf of the ids in their normal form. */
  readonly leaf: Leaf;
  /** Leaf of other ids that find an object: first blocks of InChIKeys, and ids of replaced terms. */
  readonly otherLeaf: Leaf;
  /** Path of each id with the name that the object gives to it, see `namedKey`. */
  readonly namesPath: string;
}

/** How a quantity is computed from others that elements of the same group state. */
export interface Derivation {
  /** In order of preference: the first one counts whose quantities are all stated. */
  readonly sources: readonly DerivationSource[];
  /** Lower bound of its values, exclusive. */
  readonly above?: number | undefined;
  /** The leaf of derived values. They have no unconverted number. */
  readonly leaf: NamedLeaf;
}

/** An expression from which a quantity is computed. */
export interface DerivationSource {
  readonly expression: Expression;
  /**
   * Names in the expression that are conditions of the whole record, such as a temperature, and not quantities of the
   * list.
   */
  readonly conditions: readonly Condition[];
}

/** A quantity of a record that counts if all its values in the measured part are equal. */
export interface Condition {
  readonly name: string;
  readonly paths: readonly string[];
  readonly dimensions: readonly string[];
}

/** A place in a model that cites a term (schema keyword `x-vocabulary: {name, fields}`). */
export interface TermSite {
  readonly path: string;
  readonly vocabulary: string;
  /** Names of props that are copied into the object with `id` and `title`. */
  readonly fields: readonly string[];
}

/** A place that refers to another object of the same record (schema keyword `x-reference: {to, fields}`). */
export interface ReferenceSite {
  readonly path: string;
  /** Path of the array (of objects with an `id`) with the target. */
  readonly to: string;
  /** Names of fields that are copied from the target in addition to `id`. */
  readonly fields: readonly string[];
}

/** A short name of the query language. */
export interface ShortField {
  readonly name: string;
  /** Label, if it differs from the label of its facet and from its title in the schema. */
  readonly label?: string | undefined;
  /** Symbol of the quantity, with `_` before its subscript: `K_D`. */
  readonly symbol?: string | undefined;
  /** Other names, in lower case. */
  readonly aliases?: readonly string[] | undefined;
  readonly path: string;
  /** Further paths of the field. */
  readonly morePaths?: readonly string[] | undefined;
  /** Dimensions of a declared quantity, the usual one first; numbers are compared by it and need a unit. */
  readonly dimensions?: readonly string[] | undefined;
}

/**
 * A declared facet. Its name is a parameter that filters. An index compares facets with the stored ones, so optional
 * members are missing, not undefined.
 */
export type Facet = FacetValues & {
  readonly name: string;
  readonly label: string;
  /** Path of the leaf whose values are counted. */
  readonly path: string;
  /** Numbers: further paths whose values are counted too. */
  readonly morePaths?: readonly string[];
  /** Set if it is counted only if it is requested by name, or filters. */
  readonly onRequest?: true;
};

/** A compiled model: the declaration of one kind of records. */
export interface Model {
  readonly name: string;
  readonly title: string;
  /** Title for places with little room: "MST". */
  readonly shortTitle: string;
  readonly description: string;
  readonly version: number;
  /** JSON Schema 2020-12 of `metadata`, with shared parts in `$defs`. */
  readonly schema: JsonObject;
  /** A body that can be deposited and published unchanged: `{"metadata": {...}}`. */
  readonly example?: JsonObject | undefined;
  /** Prefixes that a path in a query may omit, with their dot: `metadata.`, `metadata.general_parameters.` */
  readonly roots: readonly string[];
  /** By path, including the leaves of every record: id, model, state, created, updated, parent.id. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** Paths of all arrays of objects, outer before inner. */
  readonly elementPaths: readonly string[];
  /** The tree of the declared paths of metadata. */
  readonly places: PathNode;
  readonly termSites: readonly TermSite[];
  readonly references: readonly ReferenceSite[];
  /** Expected values by path; another value causes a warning. No path leads through a list. */
  readonly expected: ReadonlyMap<string, string>;
  /** Path of the text by which an import recognizes a document without an id; not inside a list. */
  readonly importKey?: string | undefined;
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, ShortField>;
  readonly quantities: readonly NamedQuantity[];
  readonly molecules?: MoleculeList | undefined;
  readonly units: Units;
  readonly facets: readonly Facet[];
  readonly describe: Description;
  readonly page: PageLayout;
}

/** A prop of a vocabulary's terms. `object` and `list` contain texts or numbers. */
export interface Prop {
  readonly name: string;
  readonly title: string;
  readonly type: "text" | "number" | "boolean" | "list" | "object";
  /** Kind of a text, or of each text of a list. */
  readonly kind?: LeafKind | undefined;
  /** Set if only its whole value is indexed, and not its words. */
  readonly isWhole?: true | undefined;
  /** Set for a chemical formula, whose numbers pages lower. */
  readonly isFormula?: true | undefined;
  /** Declared properties of an object; absent for the other types. */
  readonly properties?: readonly { readonly name: string; readonly type: "text" | "number" }[];
}

/** Parts of the static rank of a term, in addition to status, title length and id. Larger sums come first. */
export interface Prior {
  /** Values of one prop, best first: `{prop: rank, order: [species, genus]}`. */
  readonly prop?: string | undefined;
  readonly order?: readonly string[] | undefined;
  /** Adds the number of synonyms. */
  readonly synonyms?: boolean | undefined;
  /** Adds the numbers of values in these props, which are lists. */
  readonly lists?: readonly string[] | undefined;
  /** Adds the binary logarithm of 1 plus each of these counts: props that are numbers, and `synonyms`. */
  readonly numbers?: readonly string[] | undefined;
}

/** A compiled vocabulary: the declaration of its terms. The terms themselves are in the store. */
export interface Vocabulary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The authority behind it (ror, pubchem, openaire, ncbi, iso639), if any. */
  readonly authority?: string | undefined;
  /** Regular expression that the whole id matches; see `hasIdForm`. */
  readonly idPattern: string;
  /** Prefixes of ids before the first colon (`taxid`), in lower case, by which `taxid:562` in a query is an id. */
  readonly idPrefixes: readonly string[];
  /** Props whose values identify a term like its id (a CAS number, `cid:962`). */
  readonly identifiers: readonly string[];
  /** Other ids of terms, in lower case: `eng` is `en`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Title languages in declared order; never empty. */
  readonly languages: readonly string[];
  readonly props: readonly Prop[];
  readonly hierarchy: boolean;
  /** Patterns of the part of a title that pages show in italics, and of titles without such a part. */
  readonly italic?: { readonly part: string; readonly except?: string | undefined } | undefined;
  /** The prop with the structure of a compound in SMILES, from which pictures are drawn. */
  readonly structure?: string | undefined;
  /** Ids that facets list only if they are selected, because they are too general. */
  readonly unlisted?: readonly string[] | undefined;
  /** Kind of identifier of the ids. */
  readonly idKind?: LeafKind | undefined;
  readonly units: Units;
  /** Whether depositors may add terms. */
  readonly extensible: boolean;
  readonly prior: Prior;
  readonly facets: readonly Facet[];
  /** Leaves of a term: id, title, title.<lang>, synonyms, parent, status, props.<name>. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** File of starter terms (JSON lines), which the first start loads. */
  readonly starterFile?: string | undefined;
}

/** All models and vocabularies, in alphabetical order. */
export interface Catalog {
  readonly models: ReadonlyMap<string, Model>;
  readonly vocabularies: ReadonlyMap<string, Vocabulary>;
}
