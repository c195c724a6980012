// Made from the catalog by `npm run docs`; change the schemas there.

import type { Cited } from "../citations.js";

/** Depositors. Who deposits the data and who answers questions on them. */
export interface Depositors {
  /** The person who hands in the record. */
  depositor: Person;
  /** The person to ask about the data, often the head of the group. */
  principal_contact: Person;
  /** Others who worked on the data. At least 1 item. */
  contributors?: Person[];
}

/** Person. A person who took part. */
export interface Person {
  /** First name and further given names. */
  given_name: string;
  /** Surname, as it stands in publications. */
  family_name: string;
  /** Registered ids with their register, such as orcid:0000-0002-1825-0097. At least 1 item. */
  identifiers?: string[];
  /** Institutions where the person worked when the data were made. Cites affiliations. At least 1 item. */
  affiliations?: Cited<"affiliations", "city" | "state" | "country">[];
}

/** Publication. A text in which the data were published. */
export type Publication = {
  /** Persistent identifier. Where the text is found for good, such as doi:10.1038/227680a0 or an ISBN. */
  pid: string;
  /** Title of the article, book or thesis. */
  title?: string;
} & (Article | Book | Thesis);

/** Article. A text in a journal. */
export interface Article {
  type: "Article";
  /** Name of the journal, in full or abbreviated. */
  journal: string;
}

/** Book. A book or a chapter of one. */
export interface Book {
  type: "Book";
  /** The house that published the book. */
  publisher: string;
}

/** Thesis. A text that was handed in for a degree. */
export interface Thesis {
  type: "Thesis";
  /** Degree. The degree that the thesis was written for. */
  degree_type: "PhD" | "Habilitation" | "Master" | "Bachelor";
}

/** Supplier. Who sold or made a part that was used. */
export interface Supplier {
  /** The company or group, such as Cytiva. */
  name: string;
  /** Catalogue number. The number to order the same part by. */
  catalog_number?: string;
  /** What else identifies the part, such as a lot number. At least 1 item. */
  further_information?: string[];
}
