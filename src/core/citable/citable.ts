/**
 * A record as those need it who cite, harvest or index it: one neutral description, from which every format is
 * written. It says what the record says; nothing is guessed that the record lacks.
 */
import type { Identifier } from "../identifiers/identifiers.js";

export interface Citable {
  readonly id: string;
  /** Id that all versions share. */
  readonly parent: string;
  readonly model: { readonly name: string; readonly title: string };
  /** From 1. */
  readonly version: number;
  readonly isLatest: boolean;
  /** Ids of the published versions before and after this one; absent where there is none, or where nobody asked. */
  readonly previous?: string;
  readonly next?: string;
  readonly revision: number;
  /** ISO 8601 UTC, of the publication and of the last change. */
  readonly created: string;
  readonly updated: string;
  /** The id where the record has none. */
  readonly title: string;
  /** In the order of authors, each person once; the first is the contact where the record names one. */
  readonly people: readonly Person[];
  readonly publisher?: string;
  /**
   * Publication date in every format, ISO 8601. With an embargo, the date on which it ends (the day or the month may be
   * missing); otherwise the instant at which the record was published here.
   */
  readonly issued: string;
  /** The year of `issued`. */
  readonly year: number;
  /** Of the same data elsewhere. */
  readonly identifiers: readonly Mention[];
  readonly resourceType?: string;
  /** One of DataCite's general types. */
  readonly resourceTypeGeneral: string;
  readonly dates: Dates;
  readonly license?: License;
  /** `open`, `embargoed`, `restricted`, or what a model calls it. */
  readonly access?: string;
  /** What the record says of copyright. */
  readonly rights?: string;
  /** A few sentences that say what was measured, made of the record alone. */
  readonly summary: string;
  readonly subjects: readonly Subject[];
  readonly funding: readonly Funding[];
  readonly publications: readonly Publication[];
  /** Entries of databases that the record is about. */
  readonly references: readonly Identifier[];
  readonly results: readonly Result[];
}

export interface Person {
  /** As it is listed: `Doe, Jane`, or what stands for it where no family name is given. */
  readonly name: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly orcid?: string;
  /** Others than the ORCID iD, as far as a register knows them. */
  readonly identifiers: readonly Identifier[];
  readonly affiliations: readonly Organisation[];
}

export interface Organisation {
  readonly name: string;
  /** Without prefix: `05gq02987`. */
  readonly ror?: string;
}

/** An identifier as it was typed, and what it is where a register knows it. */
export interface Mention {
  readonly text: string;
  readonly identifier?: Identifier;
}

/** Dates as the record has them: `2026-11-22`, or an instant. */
export interface Dates {
  readonly submitted?: string;
  readonly available?: string;
  readonly collected?: string;
}

export interface License {
  readonly name: string;
  readonly url?: string;
  /** SPDX identifier, where the address has one. */
  readonly spdx?: string;
}

export interface Subject {
  readonly label: string;
  /** Name of the field that it stands in: `organism`. */
  readonly field: string;
  /** Of the cited term. */
  readonly identifier?: Identifier;
}

export interface Funding {
  readonly funder?: string;
  readonly title?: string;
  /** Number that the funder gave. */
  readonly number?: string;
  /** Id in the vocabulary of grants. */
  readonly id?: string;
}

export interface Publication extends Mention {
  readonly title?: string;
  /** `Article`, `Book`, `Thesis`, or what a model calls it. */
  readonly kind?: string;
}

export interface Result {
  readonly kind: string;
  readonly name?: string;
  /** As deposited. Absent where the kind has no number. */
  readonly value?: number;
  readonly unit?: string;
  readonly error?: { readonly lower: number; readonly upper: number; readonly isRelative: boolean };
  /** Names of what it is about. */
  readonly of: readonly string[];
}
