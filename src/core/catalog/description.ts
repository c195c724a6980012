/**
 * What a model says of its records for those who cite, harvest and list them: which fields hold the title, the people,
 * the results. Everything else about a format stands in the format. And for those who look at their pages: what stands
 * where.
 */

import type { TermSite } from "./types.js";

/** What a citation or another format may need of a record. */
export const ROLES = [
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

export type Role = (typeof ROLES)[number];

/** Roles that a model has without saying so, where it has a field of this name. */
export const ROLE_FIELDS: Readonly<Partial<Record<Role, string>>> = {
  title: "title",
  people: "depositors",
  publisher: "publisher",
};

/** A field by its name in the query language, and where it stands. */
export interface DescribedField {
  /** Name of the field, or the last part of the path where a path was declared. */
  readonly name: string;
  /** As people read it: that of its facet, else its name. */
  readonly label: string;
  readonly paths: readonly string[];
}

/** The list that holds what was measured, and how its elements are read. */
export interface ResultList {
  readonly path: string;
  /** Names of properties of an element: the kind of result, its number, unit and error. */
  readonly kind: string;
  readonly value: string;
  readonly unit: string;
  readonly error: string;
  /** Path below an element that leads to what the result is about: its name, or an object with a name. */
  readonly of: string;
}

/** Parts of a record that tell conditions of the measurement from those of other steps (regeneration, washing). */
export interface Measured {
  /** Paths of the measurements. Only buffers that one of them refers to supply conditions. */
  readonly within: readonly string[];
  /** Path of the kind of a step, in the list of steps. Absent: records of the model have no steps. */
  readonly steps?: string;
  /** Kinds of steps in which nothing is measured. */
  readonly except: readonly string[];
}

export interface Description {
  /** In the order declared; of people that is the order of authors, and the first is the contact. */
  readonly roles: ReadonlyMap<Role, readonly DescribedField[]>;
  readonly results?: ResultList;
  readonly measured?: Measured;
  /** Phrases of one sentence; a phrase is left out where the record has no value for a field in braces. */
  readonly summary: readonly SummaryPhrase[];
}

/** `of {entity}`: text around one field. */
interface SummaryPhrase {
  readonly before: string;
  readonly field: DescribedField;
  readonly after: string;
}

/** How people see the records of a model: what a list of them shows, and the order of a record's page. */
export interface Page {
  /** Of each hit of a search, beside its results, in this order. */
  readonly hit: readonly DescribedField[];
  /** Names of the columns of a table of records, in this order. */
  readonly columns: readonly string[];
  /** Names of the facets that a search shows first, and open. */
  readonly facets: readonly string[];
  /** Places that cite the compounds whose structures stand beside a hit, and above a column of a comparison. */
  readonly structures: readonly TermSite[];
  /** Empty: the page follows the order of the schema. */
  readonly sections: readonly Section[];
  /** Columns of lists that are shown as tables, by the path of the list: properties of its elements. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
}

/** A part of a record's page with a heading of its own. */
export interface Section {
  /** Its anchor. */
  readonly name: string;
  readonly title: string;
  /** What it shows with all that is below, but for what another section names. */
  readonly paths: readonly string[];
}
