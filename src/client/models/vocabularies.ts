// Made from the catalog by `npm run docs`; change the schemas there.

/** Items have a title and nothing beside. */
export type NoProps = Record<never, never>;

/** The props of a vocabulary's items, by its name. */
export interface Vocabularies {
  /** Affiliations. Universities, institutes, companies and other organisations, by their ROR id. */
  affiliations: {
    city?: string;
    /** State or region. */
    state?: string;
    country?: string;
  };
  /** Body fluids. Fluids of animals and plants that samples are taken from. */
  body_fluids: NoProps;
  /** Cell fractions. Parts of cells and tissues that samples are made of. */
  cell_fractions: NoProps;
  /** Chemicals. Chemical compounds by their InChIKey. */
  chemicals: {
    chemical_formula?: string;
    molecular_weight?: { value?: number; unit?: string };
    /** Other identifiers. */
    additional_identifiers?: string[];
  };
  /** Environment types. Kinds of places that environmental samples come from. */
  environment_types: NoProps;
  /** Grants. Funded projects by their OpenAIRE id, with the funder and the funder's own number. */
  grants: {
    /** Funder. */
    funder_name?: string;
    /** Number of the grant. */
    grant_id?: string;
  };
  /** Instruments. Instruments for biophysical measurements, by model. */
  instruments: {
    manufacturer?: string;
    technique?: string;
  };
  /**
   * Languages. Human languages by their two-letter code where there is one, else by the three-letter code (ISO
   * 639).
   */
  languages: NoProps;
  /** Organisms. Taxa of the NCBI taxonomy, from root to strain. */
  organisms: {
    rank?: string;
  };
  /** Products. Industrial and food products that samples are taken from. */
  products: NoProps;
}
