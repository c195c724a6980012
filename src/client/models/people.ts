// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited } from "./citations.js";

/** Depositors. The people who deposit the data and who answer questions about them. */
export interface Depositors {
  /** The person who deposits the record. */
  depositor: Person;
  /** The person who answers questions about the data, often the head of the group. */
  principal_contact: Person;
  /** Others who worked on the data. At least 1 item. */
  contributors?: Person[];
}

/** Person. A person who took part. */
export interface Person {
  /** First name and further given names. */
  given_name: string;
  /** Surname, as written in publications. */
  family_name: string;
  /** Registered ids with their register, such as orcid:0000-0002-1825-0097. At least 1 item. */
  identifiers?: string[];
  /** Institutions where the person worked when the data were collected. Cites affiliations. At least 1 item. */
  affiliations?: Cited<"affiliations", "city" | "state" | "country">[];
}

/** Publication. A publication that reports the data. */
export type Publication = {
  /** Persistent identifier. A persistent identifier of the text, such as doi:10.1038/227680a0 or an ISBN. */
  pid: string;
  /** Title of the article, book or thesis. */
  title?: string;
} & (Article | Book | Thesis);

/** Article. An article in a journal. */
export interface Article {
  type: "Article";
  /** Name of the journal, in full or abbreviated. */
  journal: string;
}

/** Book. A book or a chapter of a book. */
export interface Book {
  type: "Book";
  /** The company or institution that published the book. */
  publisher: string;
}

/** Thesis. A text that was submitted for a degree. */
export interface Thesis {
  type: "Thesis";
  /** Degree. The degree for which the thesis was written. */
  degree_type: "PhD" | "Habilitation" | "Master" | "Bachelor";
}

/** Supplier. The supplier or maker of a part that was used. */
export interface Supplier {
  /** The company or group, such as Cytiva. */
  name: string;
  /** Catalogue number. The number for ordering the same part. */
  catalog_number?: string;
  /** Other identifiers of the part, such as a lot number. At least 1 item. */
  further_information?: string[];
}
