/** Texts of queries as people write and paste them, and values of records in the spellings that people use. */
import fc from "fast-check";

/** Kinds of results with spellings of their units. Records and queries use all of them. */
const QUANTITIES = [
  { names: ["kd", "KD", "K_D", "affinity"], units: ["nM", " nM", "µM", "uM", " mM", "M", " nmol/L"] },
  { names: ["kon", "k_on"], units: ["M-1s-1", " M-1 s-1", "M^-1*s^-1", "1/(M*s)", " M⁻¹ s⁻¹", " L/(mol·s)"] },
  { names: ["koff", "k_off"], units: ["s-1", " s⁻¹", "1/s", " s^-1"] },
  { names: ["ka", "KA"], units: ["M-1", "mM-1", " M^-1", " L/mol"] },
  { names: ["dh", "ΔH"], units: ["kJ/mol", " kJ/mol", " kJ mol-1", " kcal/mol"] },
  { names: ["temperature", "T"], units: ["ºC", " ºC", "˚C", " °C", " oC", "K"] },
  { names: ["molecular_weight", "mw"], units: ["kDa", " kDa", " g/mol"] },
] as const;

/** Units as records have them: those of the queries, in other spellings. */
export const WRITTEN_UNITS = [
  ...["M-1s-1", "1/(M*s)", "M⁻¹ s⁻¹", "M^-1 s^-1", "s-1", "s^-1", "mM-1", "M^-1"],
  ...["kJ/mol", "kJ mol-1", "ºC", "nmol/L", "μM"],
];

export const WRITTEN_TYPES = ["Association rate kOn", "Dissociation rate kOff", "Change in enthalpy deltaH"];

const NUMBERS = [
  ...["1", "0.5", "2,5", "7,4", "10", "50", "150", "1,000"],
  ...["1e-9", "1x10-9", "1 × 10−9", "-1", "−1", "0"],
];
const OPERATORS = [":", ":<", ":>", ":<=", " = ", " < ", " ≥ ", "≦", "：＜"];

/** Names of persons in records. */
export const GIVEN_NAMES = ["Zoë", "Z.", "Zoe Anna", "J. R. R.", "Jean-Pierre", "小明"];
export const FAMILY_NAMES = ["Müller", "Muller", "van der Berg", "Tolkien", "Smith-Jones", "王"];

/** Words of records that identifiers in queries find. */
export const WRITTEN_IDS = ["5R01AR065953-03", "R01AR065953", "KFO250", "101004806", "Uniprot:P00698", "10.1000/182"];

const PASTED_IDS = [
  ...["R01 AR065953", "R01AR065953", "AR065953", "1R01AR065953-01A1", "5 R01 AR065953", "KFO 250", "kfo250"],
  ...["101 004 806", "101.004.806", "101004806", "https://cordis.europa.eu/project/id/101004806"],
  ...["uniprot:P00698", "UniProtKB:P00698", "P00698", "https://www.uniprot.org/uniprotkb/P00698/entry"],
  ...["https://doi.org/10.1000/182", "<https://doi.org/10.1000/182>", "doi:10.1000/182", "10.1000/182"],
  ...["NCBITaxon:9606", "taxid:9606", "TAXID:562", "txid562", "http://purl.obolibrary.org/obo/NCBITaxon_562"],
  ...["https://identifiers.org/taxonomy:9606", "https://www.ncbi.nlm.nih.gov/taxonomy/562", "organism:NCBITaxon:562"],
  ...["organism.within:taxid:2", "organism:https://identifiers.org/taxonomy/9606", "grant:R01AR065953"],
];

const number = fc.constantFrom(...NUMBERS);

const amount = fc.constantFrom(...QUANTITIES).chain(({ names, units }) =>
  fc
    .tuple(
      fc.constantFrom<string>(...names),
      fc.constantFrom(...OPERATORS),
      fc.tuple(number, number),
      fc.constantFrom<string>(...units),
      fc.nat(5),
    )
    .map(([name, operator, [first, second], unit, form]) => {
      if (form === 0) return `${name} (${unit.trim()}) < ${first}`;
      if (form === 1) return `${name} between ${first} and ${second} ${unit.trim()}`;
      if (form === 2) return `${name}:>${first}${unit} AND <${second}${unit}`;
      if (form === 3) return `${name}:${first}-${second}${unit}`;
      return `${name}${operator}${first}${unit}`;
    }),
);

const person = fc
  .tuple(
    fc.constantFrom("", "", "author:", "contact:", "depositor:", "contributor:"),
    fc.constantFrom(...GIVEN_NAMES, "Zoë", "Jean Pierre", "J.-P.", "J.R.R."),
    fc.constantFrom(...FAMILY_NAMES),
    fc.nat(4),
  )
  .map(([field, given, family, form]) => {
    const initial = `${[...given][0]}.`;
    const names = [
      `${given} ${family}`,
      `${family} ${given}`,
      `${family}, ${given}`,
      `${initial} ${family}`,
      `${family}, ${initial}`,
    ];
    return `${field}"${names[form]}"`;
  });

const piece = fc.oneof(amount, person, fc.constantFrom(...PASTED_IDS));

/** One of these texts, or several of them joined. */
export const arbitraryPastedQuery: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: piece },
  {
    weight: 1,
    arbitrary: fc
      .tuple(piece, fc.constantFrom(" ", " OR ", " AND ", " -"), piece)
      .map(([first, join, second]) => first + join + second),
  },
);
