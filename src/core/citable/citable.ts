/**
 * Neutral description of a record for citations, harvesters and search engines. Every format is written from it. It
 * contains only data of the record; nothing is guessed.
 */
import type { Model } from "../catalog/types.js";
import type { Identifier } from "../identifiers.js";

/** A record in the form that citations and other formats use. */
export interface Citable {
  readonly id: string;
  /** Id that all versions share. */
  readonly parent: string;
  readonly model: Pick<Model, "name" | "title" | "shortTitle">;
  /** Number of the version, from 1. */
  readonly version: number;
  readonly isLatest: boolean;
  /** Ids of the published versions before and after this one; absent if there is none, or if they were not read. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  readonly revision: number;
  /** Times of the publication and of the last change, ISO 8601 UTC. */
  readonly created: string;
  readonly updated: string;
  /** Title of the record, or its id if it has no title. */
  readonly title: string;
  /** People in the order of authors, each once; the first is the contact if the record names one. */
  readonly people: readonly Person[];
  readonly publisher?: string;
  /**
   * Publication date in every format, ISO 8601. With an embargo, the date on which it ends (the day or the month may be
   * missing); otherwise the instant at which the record was published here.
   */
  readonly issued: string;
  /** Year of `issued`. */
  readonly year: number;
  /** Identifiers of the same data elsewhere. */
  readonly identifiers: readonly MentionedIdentifier[];
  readonly resourceType?: string;
  /** One of DataCite's general types. */
  readonly resourceTypeGeneral: string;
  readonly dates: Dates;
  readonly license?: License;
  /** `open`, `embargoed`, `restricted`, or another word of the model. */
  readonly access?: string;
  /** Copyright statement of the record. */
  readonly rights?: string;
  /** A few sentences on what was measured, written from the record alone. */
  readonly summary: string;
  readonly subjects: readonly Subject[];
  readonly funding: readonly Funding[];
  readonly publications: readonly Publication[];
  /** Entries of databases that the record is about. */
  readonly references: readonly Identifier[];
  readonly results: readonly Result[];
}

/** A person, as a record mentions them. */
export interface Person {
  /** Name as it is listed: `Doe, Jane`, or the given or full name if there is no family name. */
  readonly name: string;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly orcid?: string | undefined;
  /** Identifiers in known schemes, without the ORCID iD. */
  readonly identifiers: readonly Identifier[];
  readonly affiliations: readonly Organisation[];
}

/** An organisation, as a record mentions it. */
export interface Organisation {
  readonly name: string;
  /** ROR id without prefix: `05gq02987`. */
  readonly ror?: string | undefined;
}

/** An identifier as it was typed, with its scheme and value if the scheme is known. */
export interface MentionedIdentifier {
  readonly text: string;
  readonly identifier?: Identifier | undefined;
}

/** Dates as written in the record: `2026-11-22`, or an instant. */
export interface Dates {
  readonly submitted?: string;
  readonly available?: string;
  readonly collected?: string;
}

/** The licence of a record. */
export interface License {
  readonly name: string;
  readonly url?: string | undefined;
  /** SPDX identifier, if the address has one. */
  readonly spdx?: string | undefined;
}

/** Something that a record is about: a text, or a cited term. */
export interface Subject {
  readonly label: string;
  /** Name of the field that contains it: `organism`. */
  readonly field: string;
  /** Identifier of the cited term. */
  readonly identifier?: Identifier | undefined;
}

/** A grant that a record cites. */
export interface Funding {
  readonly funder?: string;
  readonly title?: string;
  /** Number that the funder gave. */
  readonly number?: string;
  /** Id in the vocabulary of grants. */
  readonly id?: string;
}

/** A publication that a record cites. */
export interface Publication extends MentionedIdentifier {
  readonly title?: string;
  /** `Article`, `Book`, `Thesis`, or another word of the model. */
  readonly kind?: string;
}

/** A measured value of a record. */
export interface Result {
  readonly kind: string;
  readonly name?: string | undefined;
  /** Number as deposited; absent if the kind has no number. */
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
  readonly error?: { readonly lower: number; readonly upper: number; readonly isRelative: boolean } | undefined;
  /** Names of the entities that the result is about. */
  readonly of: readonly string[];
}

/** Installation that serves a record. */
export interface Site {
  /** Address for clients, without a slash at its end. */
  readonly url: string;
  /** Base of the persistent addresses of records, if the operator has one: a PURL, w3id or ARK prefix. */
  readonly citeUrl?: string;
}

/** Returns the address of the page of a record, which is independent of the model. */
export function pageUrl({ url }: Site, { id }: Pick<Citable, "id">): string {
  return `${url}/records/${id}`;
}

/** Returns the first DOI among the identifiers of a record, or undefined if it has none. */
export function ownDoi({ identifiers }: Pick<Citable, "identifiers">): Identifier | undefined {
  return identifiers.flatMap(({ identifier }) => identifier ?? []).find(({ scheme }) => scheme === "doi");
}

/** Returns the persistent address of a record at this installation. */
export function citedUrl(site: Site, record: Pick<Citable, "id">): string {
  return site.citeUrl === undefined ? pageUrl(site, record) : `${site.citeUrl}${record.id}`;
}
