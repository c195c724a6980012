// Made from the catalog by `npm run docs`; change the schemas there.

/** Items have a title and nothing beside. */
export type NoProps = Record<never, never>;

/** The props of a vocabulary's items, by its name. */
export interface Vocabularies {
  /** Affiliations. Universities, institutes, companies and other organisations, identified by ROR ids. */
  affiliations: {
    city?: string;
    /** State or region. */
    state?: string;
    country?: string;
    /** Kinds of organisation. */
    types?: string[];
    /** Other identifiers. */
    identifiers?: string[];
    /** Part of. */
    parents?: string[];
    /** Parts. */
    children?: string[];
    predecessors?: string[];
    successors?: string[];
    /** Related organisations. */
    related?: string[];
  };
  /** Body fluids. Fluids of animals and plants from which samples are taken. */
  body_fluids: NoProps;
  /** Cell fractions. Fractions of cells and tissues from which samples are made. */
  cell_fractions: NoProps;
  /** Chemicals. Chemical compounds, identified by InChIKeys. */
  chemicals: {
    chemical_formula?: string;
    molecular_weight?: { value?: number; unit?: string };
    /** Other identifiers. */
    additional_identifiers?: string[];
    /** SMILES. */
    smiles?: string;
    /** InChI. */
    inchi?: string;
  };
  /** Environment types. Types of environments from which samples are collected. */
  environment_types: NoProps;
  /** Grants. Funded projects, identified by OpenAIRE ids, with the funder and the grant number. */
  grants: {
    /** Funder. */
    funder_name?: string;
    /** Grant number. */
    grant_id?: string;
  };
  /** Instruments. Instruments for biophysical measurements, by model. */
  instruments: {
    manufacturer?: string;
    technique?: string;
  };
  /**
   * Languages. Human languages, identified by their two-letter code, or by their three-letter code if there is no
   * other (ISO 639).
   */
  languages: NoProps;
  /** Organisms. Taxa of the NCBI taxonomy, from root to strain. */
  organisms: {
    rank?: string;
    /** Taxa below it. */
    taxa_below?: number;
  };
  /** Products. Industrial and food products from which samples are taken. */
  products: NoProps;
}
