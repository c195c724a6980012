// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited } from "./citations.js";
import type { ChemicalEnvironment, Entity } from "./entities.js";
import type { Depositors, Publication } from "./people.js";
import type { Result } from "./results.js";

/** General. The fields that records of all techniques have. */
export interface GeneralParameters {
  /** The version of the general part of the model. */
  schema_version: "0.10.1";
  /** The title, the publication and the access rights of the record. */
  record_information: RecordInformation;
  /** The people who deposit the data and who answer questions about them. */
  depositors: Depositors;
  /** The article, book or thesis that reports these data. */
  associated_publication?: Publication;
  /** Funding. Grants that funded the work. Cites grants. At least 1 item. */
  funding_references?: Cited<"grants", "funder_name" | "grant_id">[];
  /** The method of measurement. */
  technique:
    | "Bio-layer interferometry (BLI)"
    | "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)"
    | "Surface plasmon resonance (SPR)"
    | "Isothermal Titration Calorimetry (ITC)";
  /** The instrument that was used, by manufacturer and model. Cites instruments. */
  instrument: Cited<"instruments", "manufacturer">;
  /** Start of collection. The day on which the measurement began, such as 2024-05-31. */
  collection_start_time: string;
  /** Molecules. The substances whose properties or interactions were measured. At least 1 item. */
  entities_of_interest: Entity[];
  /** Buffers. The solutions in which the molecules were measured. At least 1 item. */
  chemical_environments: ChemicalEnvironment[];
  /** Constants, amounts and other numerical results. At least 1 item. */
  results?: Result[];
}

/** Record information. The title, the publication and the access rights of the record. */
export type RecordInformation = {
  /** A single line that describes the measurement. */
  title: string;
  /** The database that publishes the record. */
  publisher: "MBDB";
  /** General resource type. The general resource type of DataCite. */
  resource_type_general: "Dataset";
  /** The kind of data in short, such as MST. */
  resource_type: string;
  /** DOI. An identifier of the same data in another repository, such as a DOI. */
  external_identifier?: string;
  /** The scientific field of the data. */
  subject_category: "Biophysics";
  /** The day on which the record was deposited, such as 2024-05-31. */
  deposition_date: string;
  /** The day from which others can access the data, such as the end of an embargo. A date: 2026-11-21. */
  date_available?: string;
} & (Open | Embargoed | Restricted);

/** Open. Open to everyone immediately. */
export type Open = FreeUse & {
  access_rights: "open";
};

/** Free use. The fields of data that anyone may use, now or after an embargo. */
export interface FreeUse {
  /** Whether the data may be redistributed, and by whom. */
  copyright: "Anyone is free to distribute the data and metadata";
  /** Licence. The licence under which others may use the data. */
  license?: License;
}

/** Licence. The licence under which others may use the data. */
export interface License {
  /** The licence by its full name. */
  name: "CC0 1.0 Universal";
  /** Web address. The web address of the text of the licence. */
  url: "https://creativecommons.org/publicdomain/zero/1.0/";
}

/** Embargoed. Open to everyone after an embargo. */
export type Embargoed = FreeUse & {
  access_rights: "embargoed";
};

/** Restricted. Only with the consent of the depositors. */
export interface Restricted {
  access_rights: "restricted";
  /** Whether the data may be redistributed, and by whom. */
  copyright: "The depositors retains copyright to the data files and metadata";
}
