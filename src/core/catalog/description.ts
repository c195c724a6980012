/**
 * The parts of a model that describe its records to formats and pages: which fields have the title, the people and the
 * results, and the order of a page. Everything else about a format is in the format.
 */
import type { Check } from "./compile-checks.js";
import type { MoleculeParts } from "./compile-description.js";
import type { Sentence } from "./sentence.js";
import type { TermSite } from "./types.js";

/** Roles of fields that citations and other formats use. */
export const FIELD_ROLES = [
  "title",
  "people",
  "publisher",
  "identifiers",
  "resource_type",
  "resource_type_general",
  "subjects",
  "license",
  "access",
  "rights",
  "submitted",
  "available",
  "collected",
  "funding",
  "publications",
  "databases",
  "conditions",
] as const;

export type FieldRole = (typeof FIELD_ROLES)[number];

/** Default fields of roles, if a model has a field with this name. */
export const ROLE_FIELDS: Readonly<Partial<Record<FieldRole, string>>> = {
  title: "title",
  people: "depositors",
  publisher: "publisher",
};

/** A field by its name in the query language, with its paths. */
export interface DescribedField {
  /** Name of the field, or the last part of a declared path. */
  readonly name: string;
  /** Label of its facet, else its name. */
  readonly label: string;
  readonly paths: readonly string[];
}

/** The list of measured results, and the properties of its elements. */
export interface ResultList {
  readonly path: string;
  /** Names of properties of an element: the kind of result, its number, unit and error. */
  readonly kind: string;
  readonly value: string;
  readonly unit: string;
  readonly error: string;
  /** Path below an element to the object of the result: its name, or an object with a name. */
  readonly of: string;
}

/**
 * Declaration of the part of a record in which something is measured: conditions of other steps, such as washing, do
 * not count.
 */
export interface MeasuredPart {
  /** Paths of the measurements. Only buffers to which one of them refers have conditions. */
  readonly within: readonly string[];
  /** Path of the kind of a step, in the list of steps. Absent: records of the model have no steps. */
  readonly steps?: string | undefined;
  /** Kinds of steps in which nothing is measured. */
  readonly except: readonly string[];
}

/** Parts of a record that citations, other formats and summaries use. */
export interface Description {
  /** In declared order; the order of people is the order of authors, and the first one is the contact. */
  readonly roles: ReadonlyMap<FieldRole, readonly DescribedField[]>;
  readonly results?: ResultList | undefined;
  readonly measured?: MeasuredPart | undefined;
  readonly molecules?: MoleculeParts | undefined;
  /** Phrases of one sentence; a phrase is left out if the record has no value for its field in braces. */
  readonly summary: readonly SummaryPhrase[];
}

/** `of {entity}`: text around one field. */
interface SummaryPhrase {
  readonly before: string;
  readonly field: DescribedField;
  readonly after: string;
}

/** The presentation of the records of a model on pages: of lists, and of a record's page. */
export interface PageLayout {
  /** Fields of a hit besides its results, in this order. */
  readonly hit: readonly DescribedField[];
  /** Names of the columns of a table of records, in this order. */
  readonly columns: readonly string[];
  /** Names of the facets that a search shows open. */
  readonly facets: readonly string[];
  /** Names of the facets that a search shows first, in this order. The others are below "More filters". */
  readonly filters: readonly string[];
  /** Places that cite the compounds whose structures are shown with a hit and above a column of a comparison. */
  readonly structures: readonly TermSite[];
  /** Head of a record's page. Absent: the first results, and the fields of a hit. */
  readonly head?: HeadLayout | undefined;
  /** Empty: the page follows the order of the schema. */
  readonly sections: readonly Section[];
  /** Queries that pages of the search offer as examples, if they have hits. */
  readonly examples: readonly SearchExample[];
  /** Columns (properties of elements) of lists that are shown as tables, by the path of the list. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Sentences that record pages show in place of objects, by path: the object is one value. */
  readonly sentences: ReadonlyMap<string, Sentence>;
  /** Words that record pages show in place of deposited texts, by path and text. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Checks of the results, in this order. */
  readonly checks: readonly Check[];
}

/** Ways to choose the best result of a quantity. */
export const BEST_RESULTS = ["smallest", "largest"] as const;

/** Declaration of the head of a record's page. */
export interface HeadLayout {
  /** Quantities in the order of their importance, and which of their results is the best. */
  readonly figures: ReadonlyMap<string, (typeof BEST_RESULTS)[number]>;
  /** Line about a molecule of the first figure. */
  readonly molecule?: Sentence | undefined;
  /** Line about the conditions of the measurement. */
  readonly conditions?: Sentence | undefined;
}

/** A query with a text that says what it finds. */
interface SearchExample {
  readonly label: string;
  readonly q: string;
}

/** Forms of a section. Absent: each value has the form of its shape. */
export const SECTION_FORMS = ["table", "cards", "line", "strip", "series"] as const;

type SectionForm = (typeof SECTION_FORMS)[number];

/** A section of a record's page. */
export interface Section {
  /** Its anchor. */
  readonly name: string;
  readonly title: string;
  /** Paths that it shows with everything below, except for paths of other sections. */
  readonly paths: readonly string[];
  readonly as?: SectionForm | undefined;
  /**
   * Sentence whose place depends on the form: the line itself, the text below the name of a card, the text of a step of
   * a strip, or the replacement for a missing number in a table.
   */
  readonly sentence?: Sentence | undefined;
  /** Paths of the columns of a series, its elements. Absent: by the shape of the elements. */
  readonly columns?: readonly string[] | undefined;
  /** Columns of a table with values of objects that refer to a row. */
  readonly referring: readonly ReferringColumn[];
  /** Names of the numbers that place a step of a strip. */
  readonly along?: Along | undefined;
  /** Numbers of a series on an axis. */
  readonly axis?: Axis | undefined;
}

/** Column of a table: values of the objects that refer to its rows. */
export interface ReferringColumn {
  readonly title: string;
  /** Path of the values. */
  readonly path: string;
  /** Path of the list of the objects that have the values. */
  readonly list: string;
  /** Path of their references to rows. */
  readonly reference: string;
}

/** Numbers that give the steps of a strip their places. Absent start: each step begins at the end of the one before. */
interface Along {
  readonly start?: string | undefined;
  readonly length: string;
}

/** Axis of a series: the numbers at a path, and the results of a quantity among them. */
interface Axis {
  readonly path: string;
  /** Name of the quantity. */
  readonly mark?: string | undefined;
}
