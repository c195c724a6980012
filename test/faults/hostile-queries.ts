import fc from "fast-check";
import { OFFENDERS } from "./offenders.js";

/**
 * Queries that are nearly right, and as heavy as they may be: quantities, dates, ranges, groups as deep as they go,
 * subtrees, typos of many words. What they are made of is what people write, in every spelling.
 */
const { array, constantFrom, integer, oneof, tuple } = fc;

const WORDS = ["lysozyme", "serum", "albumin", "coli", "chemical", "protein", "sds", "page", "water", "tris", "kd"];
const word = oneof(
  constantFrom(...WORDS),
  fc.string({ unit: fc.constantFrom(..."aeiklmnorst"), minLength: 1, maxLength: 12 }),
);
const field = constantFrom(
  ...["kd", "KD", "ka", "kon", "dh", "ec50", "concentration", "molecular_weight", "temperature", "ph", "results.value"],
  ...[
    "title",
    "created",
    "collected",
    "organism",
    "chemical",
    "depositors",
    "model",
    "results.@kd",
    "results.value@molarity",
  ],
  ...["chemical_environments.constituents.concentration.value", "metadata", "__proto__.value", "kd.value", "kd.kd"],
);

const number = constantFrom(
  ...[
    "10",
    "0.1",
    "-1",
    "1e-9",
    "1e999",
    "-1e-999",
    "1e",
    "0x10",
    "1,000",
    "1.2.3",
    ".5",
    "5.",
    "٣",
    "½",
    "∞",
    "NaN",
    "١٠",
  ],
  ...["9007199254740993", "1".repeat(400), "0".repeat(300), "1_000", "+5", "--5", "10⁻⁹", "1×10^-9", "*"],
);
const unit = constantFrom(
  ...[
    "nM",
    "nm",
    "NM",
    "µM",
    "μM",
    "uM",
    "mM",
    "M",
    "mol/L",
    "mol·l⁻¹",
    "mol.L^-1",
    "M^-1s^-1",
    "M⁻¹·s⁻¹",
    "1/Ms",
    "1/M/s",
  ],
  ...[
    "kDa",
    "g/mol",
    "Da",
    "°C",
    "℃",
    "C",
    "K",
    "% w/w",
    "w/v %",
    "%",
    "kJ/mol",
    "kcal mol-1",
    "s⁻¹",
    "/s",
    "Å",
    "Å",
    "nl",
  ],
  ...[
    "furlong",
    "furlongs per fortnight",
    "n M",
    "nMM",
    "",
    "M^999999",
    "M^-",
    "m/s/s/s/s/s/s",
    "µ",
    "u",
    "^",
    "⁻¹",
    "TO",
    "AND",
  ],
);
const blank = constantFrom("", " ", "\u00a0", "\u2009", "  ", "\t");
const quantity = tuple(number, blank, unit).map((parts) => parts.join(""));

const date = constantFrom(
  ...[
    "2024",
    "2024-05",
    "2024-13",
    "2023-02-29",
    "2024-02-30T25:61:61Z",
    "0000",
    "9999-12-31",
    "99999-01-01",
    "-0001-01-01",
  ],
  ...[
    "+292278994-08-17",
    "1e5",
    "2024-05-17T10:00:00+99:99",
    "now",
    "now-30d",
    "now+1M",
    "now-9999999999y",
    "now+1e9M",
  ],
  ...[
    "now-1s-1s",
    "now/d",
    "now-",
    "now--1d",
    "now-0.5d",
    "now-30D",
    "NOW",
    "now-99999999999999999999999s",
    "2024||/M",
  ],
);

const bound = oneof(
  { weight: 4, arbitrary: quantity },
  { weight: 3, arbitrary: date },
  word,
  constantFrom("*", '""', '"a b"'),
);
const range = oneof(
  tuple(constantFrom("[", "{"), bound, constantFrom(" TO ", " to ", "TO", " "), bound, constantFrom("]", "}", "")).map(
    (parts) => parts.join(""),
  ),
  tuple(constantFrom(">=", "<=", ">", "<", ">= ", "=", "=>", "<>"), bound).map((parts) => parts.join("")),
  array(
    tuple(constantFrom(">=", "<", ">"), bound).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 6 },
  ).map((bounds) => `(${bounds.join(" AND ")})`),
);

const term = oneof(
  constantFrom("taxid:1", "taxid:562", "taxid:9606", "TAXID:2", "taxid:99999999999999999999", "taxid:-1", "taxid:"),
  constantFrom(
    "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N",
    "ror:042nb2s44",
    "ins:2",
    "oa:",
    "x:y",
    '"taxid:562"',
    "(taxid:562)",
  ),
);
const within = tuple(
  constantFrom("organism", "chemical", "metadata", "title", "organism.title", "organism.within", ""),
  term,
).map(([name, id]) => `${name}.within:${id}`);

const fuzzy = tuple(word, constantFrom("~", "~1", "~2", "~0", "~3", "~99", "~1.5", "~-1", "~~")).map((parts) =>
  parts.join(""),
);
const wildcard = tuple(word, constantFrom("*", "?", "*a*", "?*?", "*b*c*d*e*", "????????"), word).map((parts) =>
  parts.join(""),
);

const leaf = oneof(
  word,
  fuzzy,
  wildcard,
  within,
  tuple(field, range).map(([name, of]) => `${name}:${of}`),
  tuple(field, quantity).map(([name, of]) => `${name}:${of}`),
  tuple(field, oneof(fuzzy, wildcard, word)).map(([name, of]) => `${name}:${of}`),
  field.map((name) => `_exists_:${name}`),
);

const ARRAYS = [
  ...["results", "entities_of_interest", "components", "modifications.chemical", "protocol", "chemical_environments"],
  ...[
    "constituents",
    "depositors.contributors",
    "affiliations",
    "measurements",
    "sample.ligands",
    "title",
    "nowhere",
    "kd",
  ],
];

/** Groups within groups, up to the limit of levels and one beyond, with NOT and OR on every level. */
const nested = tuple(
  array(tuple(constantFrom(...ARRAYS), constantFrom("", "NOT ", "-", "a OR ", "title:a AND "), leaf), {
    minLength: 1,
    maxLength: 17,
  }),
  leaf,
  integer({ min: 0, max: 3 }),
).map(([levels, inner, missing]) => {
  const text = levels.reduceRight((of, [name, sign, beside]) => `${name}:(${beside} AND ${sign}(${of}))`, inner);
  return text.slice(0, text.length - missing);
});

/** As many clauses as may be, each of which is costly by itself. */
const many = tuple(
  constantFrom(fuzzy, wildcard, within, leaf),
  integer({ min: 30, max: 256 }),
  constantFrom(" ", " OR ", " AND NOT ", " -"),
).chain(([each, count, between]) =>
  array(each, { minLength: count, maxLength: count }).map((all) => all.join(between).slice(0, 4_096)),
);

const offender = constantFrom(...OFFENDERS.filter((text) => text.length < 100));

/** What is sent as q. */
export const heavyQuery: fc.Arbitrary<string> = oneof(
  { weight: 6, arbitrary: leaf },
  { weight: 4, arbitrary: nested },
  { weight: 1, arbitrary: many },
  {
    weight: 3,
    arbitrary: array(oneof({ weight: 5, arbitrary: leaf }, offender), { maxLength: 12 }).map((all) => all.join(" ")),
  },
  {
    weight: 2,
    arbitrary: tuple(field, array(leaf, { maxLength: 8 })).map(([name, all]) => `${name}:(${all.join(" OR ")})`),
  },
);

/** What somebody has typed so far. */
export const heavySuggestion: fc.Arbitrary<string> = oneof(
  constantFrom(
    "s",
    "S.",
    "S. c",
    "e coli",
    "s. c. e. v.",
    "é",
    "東",
    "taxid:",
    "taxid:5",
    "562",
    "a a a a a",
    "...",
    "~",
    "*",
    "ß",
    "ﬁ",
  ),
  array(word, { maxLength: 60 }).map((all) => all.join(" ")),
  array(constantFrom(..."abcdefgz."), { maxLength: 40 }).map((all) => all.join(" ")),
  quantity,
  leaf,
);

/** Names of facets of all kinds, and of what is none, with keys of all kinds. */
export const facetParameter: fc.Arbitrary<readonly [name: string, value: string]> = tuple(
  constantFrom(
    ...[
      "organism",
      "kd",
      "ka",
      "ph",
      "year",
      "collected",
      "deposited",
      "instrument",
      "result_type",
      "molecular_weight",
      "rank",
    ],
    ...["country", "state", "model", "facets", "facet_size", "highlight", "nofacet"],
  ),
  oneof(
    constantFrom(
      "1..10",
      "..1",
      "100..",
      "..",
      "1..1",
      "10..1",
      "1e-9..1e-8",
      "-Infinity..Infinity",
      "*..*",
      "1...2",
      "NaN..",
      "1..2..3",
    ),
    constantFrom(
      "2024",
      "0",
      "-1",
      "99999",
      "20x4",
      "2024-05",
      "taxid:1",
      "taxid:562",
      "TAXID:1",
      "none",
      "true",
      "1",
      "1000",
      "",
    ),
    constantFrom("4..5", "5..4", "..4", "10..", "1 nM..10 nM", "1e-9..", "0..1e-9"),
    quantity,
    offender,
  ),
);
