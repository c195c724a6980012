/** The part of a made-up record that is alike for all techniques. */
import { temperatureOf } from "./amounts.mjs";
import { cite, itemsOf, surroundings } from "./data.mjs";
import { entityOf, kindOf, present, slug } from "./entities.mjs";
import { hash } from "./random.mjs";
import { complexMass, resultsOf } from "./results.mjs";

const TECHNIQUES = {
  bli: "Bio-layer interferometry (BLI)",
  itc: "Isothermal Titration Calorimetry (ITC)",
  mst: "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
  spr: "Surface plasmon resonance (SPR)",
};

const OPEN = "Anyone is free to distribute the data and metadata";
const RESTRICTED = "The depositors retains copyright to the data files and metadata";
const LICENSE = { name: "CC0 1.0 Universal", url: "https://creativecommons.org/publicdomain/zero/1.0/" };

/** Which proteins need something beside the buffer. */
const NEEDS = [
  [/kinase|^abl1$|^src$|^pka$|^p38$|^braf$/, "kinase"],
  [/^(con_a|wga|pna|lec_b|dc_sign|galectin3)$/, "lectin"],
  [/^(mdm2|kras|hsp90|mpro|fkbp12|papain)$/, "reduced"],
];

/**
 * All that a record needs to be written: the entities, the environment, the temperature and the results.
 * @param pair a row of pairs.yaml
 */
export function settingOf(pair, technique, random) {
  const name = [technique, ...pair.of.map(slug)].join(".");
  const entities = pair.of.map((key) => entityOf(key, random));
  const temperature = temperatureOf(random.pick([25, 25, 25, 20, 30, 37, 10, 15]), random);
  const involved = involvedIn(entities, pair);
  const setting = { pair, technique, random, name, entities, temperature, involved };
  const results = resultsOf(setting);
  if (technique !== "itc" && pair.kd !== undefined && random.chance(0.1)) {
    const sum = entities.slice(0, 2).map(kilodaltons);
    if (sum.every((kDa) => kDa > 5)) results.push(complexMass(setting, sum[0] + sum[1]));
  }
  return { ...setting, results, environment: environmentOf(setting), instrument: instrumentOf(setting) };
}

export function generalParameters(setting) {
  const { technique, random, name, entities, environment, instrument, results } = setting;
  const collected = dayOf(random);
  const deposited = later(collected, random.integer(20, 420));
  return {
    schema_version: "0.10.1",
    record_information: informationOf(setting, deposited),
    depositors: depositorsOf(setting),
    ...(random.chance(0.5) ? { associated_publication: publicationOf(setting) } : {}),
    ...(random.chance(0.7) ? { funding_references: grantsOf(name, random) } : {}),
    technique: TECHNIQUES[technique],
    instrument: { id: instrument.id },
    collection_start_time: collected,
    entities_of_interest: entities,
    chemical_environments: [environment, ...(hasRegeneration(setting) ? [REGENERATION] : [])],
    results,
  };
}

/** Antibodies are washed off with acid where the sensor is used again. */
export function hasRegeneration({ technique, pair }) {
  return technique === "spr" && kindOf(pair.of[0]) === "proteins" && kindOf(pair.of[1]) === "proteins";
}

const REGENERATION = {
  id: "regeneration",
  name: "Regeneration solution",
  solvent: [solvent("Water", 100)],
  constituents: [constituent(["Glycine", 10, "mM"]), constituent(["Hydrochloric acid", 5, "mM"])],
  ph: 2.5,
};

function informationOf(setting, deposited) {
  const { technique, random, name } = setting;
  const access = random.pick(["open", "open", "open", "open", "open", "open", "open", "embargoed", "restricted"]);
  const rights =
    access === "restricted"
      ? { copyright: RESTRICTED }
      : { copyright: OPEN, ...(random.chance(0.7) ? { license: LICENSE } : {}) };
  const isLater = access === "embargoed";
  return {
    title: titleOf(setting),
    access_rights: access,
    publisher: "MBDB",
    resource_type_general: "Dataset",
    resource_type: technique.toUpperCase(),
    external_identifier: `doi:10.5072/demo.${name}`,
    subject_category: "Biophysics",
    deposition_date: deposited,
    ...(isLater || random.chance(0.2)
      ? { date_available: isLater ? isoDay(Date.parse(deposited) + 730 * DAY) : deposited }
      : {}),
    ...rights,
  };
}

function kindOfTitle({ found, of }, technique) {
  if (found === undefined) return technique;
  return of.length > 2 ? "amount" : "content";
}

/** One of the technique's titles, with the names of the partners. */
function titleOf({ pair, technique, entities, random, environment, temperature }) {
  const [a, b, c] = entities.map((entity) => entity.name);
  const pattern = random.pick(surroundings.titles[kindOfTitle(pair, technique)]);
  const values = { A: upper(a), a: lower(a), B: upper(b), b: lower(b), c: lower(c ?? a) };
  const title = pattern.replaceAll(/\{(\w)\}/g, (_, key) => values[key]);
  const place = pair.found === undefined && c !== undefined ? `, in ${lower(c)}` : "";
  const more = random.pick([
    "",
    "",
    "",
    "",
    ` at pH ${environment.ph}`,
    ` at ${temperature.value} ${temperature.unit}`,
  ]);
  return `${title}${place}${more}`;
}

/** Names in the middle of a title: without the capital, but for what is called after somebody. */
const PROPER = /^(Hoechst|Drew|Cas9|Cro|Lac|GroEL|GroES|Strep)\b/;
const CAPITAL = /^((?:\([SR]\)|[LDN\d]'?)-)?(\p{Lu})(?=\p{Ll}{2})/u;
const lower = (name) =>
  PROPER.test(name) ? name : name.replace(CAPITAL, (_, locant = "", letter) => locant + letter.toLowerCase());
const upper = (name) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** A laboratory measures one pair of substances, whatever the technique. */
function depositorsOf({ pair, random }) {
  const { people } = surroundings;
  const at = hash(pair.of.join()) % people.length;
  const others = [people[(at + 5) % people.length], people[(at + 11) % people.length]];
  const contributors = random.some(others, 0.5).map(person);
  return {
    depositor: person(people[at]),
    principal_contact: person(random.chance(0.6) ? people[at] : others[0]),
    ...(contributors.length > 0 ? { contributors } : {}),
  };
}

const person = ({ given, family, at }) => ({ given_name: given, family_name: family, affiliations: [{ id: at }] });

function publicationOf({ pair, name, random }) {
  const pid = `doi:10.5072/demo.text.${hash(name) % 9000}`;
  const title = `On ${pair.of.map((key) => lower(entityOf(key, random).name)).join(" and ")}`;
  return random.pick([
    { pid, title, type: "Article", journal: random.pick(surroundings.journals) },
    { pid, title, type: "Article", journal: random.pick(surroundings.journals) },
    { pid, title, type: "Article", journal: random.pick(surroundings.journals) },
    { pid, title, type: "Thesis", degree_type: random.pick(["PhD", "Master", "Bachelor"]) },
    { pid, title, type: "Book", publisher: "Press of Demonstrations" },
  ]);
}

function grantsOf(name, random) {
  const { grants } = surroundings;
  const first = hash(name) % grants.length;
  const ids = random.chance(0.25) ? [grants[first], grants[(first + 3) % grants.length]] : [grants[first]];
  return ids.map((id) => ({ id }));
}

const instruments = new Map(
  Object.keys(TECHNIQUES).map((technique) => [
    technique,
    itemsOf("instruments").filter(({ props }) => props.technique === technique.toUpperCase()),
  ]),
);

/** A laboratory has one or two instruments of a technique. */
function instrumentOf({ pair, technique, random }) {
  const all = instruments.get(technique);
  return all[(hash(pair.of[0] + technique) + random.integer(0, 1)) % all.length];
}

function environmentOf(setting) {
  const { pair, random } = setting;
  const buffer = bufferOf(setting);
  const { additions } = surroundings;
  const kinds = pair.of.map(kindOf);
  const extra = [
    ...NEEDS.filter(([pattern]) => pattern.test(pair.of[0])).flatMap(([, name]) => additions[name]),
    ...["rna", "dna"].filter((kind) => kinds[0] === kind).flatMap((kind) => additions[kind]),
    ...(/ar$|^a2a$|^kcsa$/.test(pair.of[0]) || pair.of[1] === "kcsa" ? additions.membrane : []),
    ...(random.chance(0.15) ? additions.salty : []),
  ];
  const named = new Set(buffer.of.map(([title]) => title));
  const inDmso = kinds[1] === "chemicals" && random.chance(0.5);
  const [dmso, share, unit] = additions.solvent;
  const dmsoPart = inDmso ? [solvent(dmso, share, unit)] : [];
  const hasCasein = setting.technique === "bli" && random.chance(0.25);
  return {
    id: "buffer",
    name: buffer.name,
    solvent: [solvent("Water", inDmso ? 100 - share : 100), ...dmsoPart],
    constituents: [
      ...[...buffer.of, ...extra.filter(([title]) => !named.has(title))].map(constituent),
      ...(hasCasein ? [CASEIN] : []),
    ],
    ph: random.pick(buffer.ph),
    ...present({ additional_specifications: random.chance(0.15) ? ["Filtered and degassed before use"] : undefined }),
  };
}

/** Most measure near to neutral; what needs metal ions has no EDTA beside it. */
function bufferOf({ pair, random }) {
  const { neutral, other } = surroundings.buffers;
  const needsMetal = /^(rna|dna)$/.test(kindOf(pair.of[0])) || NEEDS.some(([pattern]) => pattern.test(pair.of[0]));
  if (!needsMetal) return random.pick(random.chance(0.8) ? neutral : other);
  return random.pick(neutral.filter(({ of }) => of.every(([title]) => title !== "EDTA")));
}

const CASEIN = {
  name: "Casein",
  type: "Polymer",
  polymer_type: "polypeptide(L)",
  molecular_weight: { value: 23.6, unit: "kDa" },
  external_databases: ["Uniprot:P02662"],
  source_organism: { id: "taxid:9913" },
  expression_source_type: "Natively",
  concentration: { value: 0.5, unit: "mg/mL" },
};

function constituent([title, value, unit]) {
  return {
    name: title,
    type: "Chemical",
    basic_information: cite("chemicals", title),
    concentration: { value, unit },
  };
}

function solvent(title, value, unit = "v/v %") {
  return constituent([title, value, unit]);
}

/** What meets in a result; of membranes nobody knows how many. */
function involvedIn(entities, { found }) {
  const [held, added, sample] = entities;
  const met = found === undefined ? [held, added] : [added, sample ?? held];
  return met.map((entity) => ({ entity: { id: entity.id }, copy_number: copiesOf(entity) }));
}

function copiesOf({ type, id }) {
  if (type.startsWith("Complex")) return -1;
  return COPIES[id] ?? 1;
}

const COPIES = {
  streptavidin: 4,
  "cholera-b": 5,
  "con-a": 4,
  transthyretin: 2,
  avidin: 4,
  "calcium-chloride": 4,
  "hiv-protease": 1,
  or3: 1,
  cro: 2,
};

function kilodaltons({ molecular_weight: weight }) {
  return weight?.unit === "kDa" ? weight.value : 0;
}

/** A day of 2012 to the spring of 2026; later years have more of them. */
function dayOf(random) {
  const from = Date.UTC(2012, 1, 1);
  const to = Date.UTC(2026, 3, 1);
  return isoDay(from + (to - from) * random.between(0, 1) ** 0.6);
}

const DAY = 86_400_000;
/** Nothing is deposited after the summer of 2026. */
const LAST = Date.UTC(2026, 7, 31);
const later = (day, days) => isoDay(Math.min(Date.parse(day) + days * DAY, LAST));
const isoDay = (millis) => new Date(millis).toISOString().slice(0, 10);
