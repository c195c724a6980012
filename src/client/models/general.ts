// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited } from "../citations.js";
import type { ChemicalEnvironment, Entity } from "./entities.js";
import type { Depositors, Publication } from "./people.js";
import type { Result } from "./results.js";

/** General parameters. What is said of every measurement, whatever the technique. */
export interface GeneralParameters {
  /** The version of the general part of the model. */
  schema_version: "0.10.1";
  /** What the record is called, and who may use it. */
  record_information: RecordInformation;
  /** Who deposits the data and who answers questions on them. */
  depositors: Depositors;
  /** The article, book or thesis that reports these data. */
  associated_publication?: Publication;
  /** Funding. Grants that paid for the work. Cites grants. At least 1 item. */
  funding_references?: Cited<"grants", "funder_name" | "grant_id">[];
  /** The method of measurement. */
  technique:
    | "Bio-layer interferometry (BLI)"
    | "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)"
    | "Surface plasmon resonance (SPR)"
    | "Isothermal Titration Calorimetry (ITC)";
  /** The device that measured, by maker and type. Cites instruments. */
  instrument: Cited<"instruments", "manufacturer">;
  /** Start of collection. The day on which the measurement began, such as 2024-05-31. */
  collection_start_time: string;
  /** The substances whose properties or interactions were measured. At least 1 item. */
  entities_of_interest: Entity[];
  /** The solutions in which the entities were measured. At least 1 item. */
  chemical_environments: ChemicalEnvironment[];
  /** Constants, amounts and other numbers that came out. At least 1 item. */
  results?: Result[];
}

/** Record information. What the record is called, and who may use it. */
export type RecordInformation = {
  /** One line that tells this measurement from others. */
  title: string;
  /** The database that publishes the record. */
  publisher: "MBDB";
  /** General resource type. What the record is, in the words of DataCite. */
  resource_type_general: "Dataset";
  /** The kind of data in short, such as MST. */
  resource_type: string;
  /** An id of the same data elsewhere, such as a DOI. */
  external_identifier?: string;
  /** The field of science that the data belong to. */
  subject_category: "Biophysics";
  /** The day on which the record was handed in, such as 2024-05-31. */
  deposition_date: string;
  /** The day from which others may see the data; after an embargo, its end. A date: 2026-11-21. */
  date_available?: string;
} & (Open | Embargoed | Restricted);

/** Open. Free for everyone at once. */
export type Open = FreeUse & {
  access_rights: "open";
};

/** Free use. What holds for data that anyone may use, at once or later. */
export interface FreeUse {
  /** Who may pass the data on. */
  copyright: "Anyone is free to distribute the data and metadata";
  /** Licence. The terms under which others may use the data. */
  license?: License;
}

/** Licence. The terms under which others may use the data. */
export interface License {
  /** The licence by its full name. */
  name: "CC0 1.0 Universal";
  /** Web address. Where the text of the licence stands. */
  url: "https://creativecommons.org/publicdomain/zero/1.0/";
}

/** Embargoed. Free for everyone from a later day. */
export type Embargoed = FreeUse & {
  access_rights: "embargoed";
};

/** Restricted. Only with the consent of the depositors. */
export interface Restricted {
  access_rights: "restricted";
  /** Who may pass the data on. */
  copyright: "The depositors retains copyright to the data files and metadata";
}
