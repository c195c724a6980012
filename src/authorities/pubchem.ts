import { isObject, type Json, type JsonObject } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import { DumpError, type DumpFile, lineRuns, withLine } from "../formats/dumps/dump-file.js";
import { dumpFiles, readDump } from "../formats/dumps/read-dump.js";
import { splitDocuments } from "../formats/read-documents.js";
import type { Authority, DumpEntry, DumpOptions } from "../ports/authorities.js";
import {
  compoundTerm,
  type FoundCompound,
  INCHI_KEY,
  isSelected,
  nonEmpty,
  type PubChemCompound,
  parseDecimal,
} from "./compound.js";
import { baseName, objectAt, objectsAt, textAt, textsAt } from "./dump-documents.js";
import {
  bareId,
  EMPTY_LIVE_PAGE,
  type JsonAnswer,
  type LiveSource,
  MISSING_TERM,
  parseObject,
  WrongAnswer,
} from "./live/live-source.js";
import { readExtras } from "./pubchem-extras.js";

/**
 * PubChem compounds: files of `Compound/Extras` side by side, SDF, or JSON of PUG-REST. If several compounds have one
 * InChIKey, the one with the smallest number counts in a file sorted by number, as PubChem's are.
 * @see https://ftp.ncbi.nlm.nih.gov/pubchem/Compound/Extras/README-Compound-Extras
 * @see https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest
 */
export const pubchem: Authority = {
  name: "pubchem",
  title: "PubChem, compounds",
  url: "https://ftp.ncbi.nlm.nih.gov/pubchem/Compound/",
  licence: "public domain (a work of the United States government); names as their depositors gave them",
  vocabulary: "chemicals",
  takes:
    "a folder with CID-InChI-Key and CID-Title of Compound/Extras, and where there are CID-SMILES, CID-IUPAC, " +
    "CID-Mass and CID-Synonym-filtered; SDF; JSON of PUG-REST; all gzipped or not",
  dumps: [{ name: /^CID-InChI-Key(\.gz)?$/, isFolder: true }, { name: /^(pubchem|Compound_).*\.sdf(\.gz)?$/ }],
  passes: 1,
  firstCounts: true,
  manner: "join",
  picks: "CIDs (962) or InChIKeys",
  read: readCompounds,
};

async function* readCompounds(path: string, options: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  const files = await dumpFiles(path);
  const isExtras = files.some(({ name }) => baseName(name).startsWith("CID-"));
  let dropped = 0;
  for await (const batch of isExtras ? readExtras(files, options) : readSdfOrJson(path, options)) {
    yield batch.flatMap((entry): DumpEntry[] => {
      const { part, line } = entry;
      if ("reason" in entry) return [{ part, line, reason: entry.reason }];
      const { cid, inchiKey } = entry.compound;
      if (!INCHI_KEY.test(inchiKey)) return [{ part, line, reason: `compound ${cid}: "${inchiKey}" is no InChIKey` }];
      if (!isSelected(options.only, cid, inchiKey)) return [];
      const compiled = compoundTerm(entry.compound);
      dropped += compiled.dropped;
      return [{ part, line, item: compiled.item }];
    });
  }
  if (dropped > 0) yield [{ leftOut: "synonyms of compounds that have thousands of them", count: dropped }];
}

async function* readSdfOrJson(path: string, { onProgress }: DumpOptions): AsyncGenerator<readonly FoundCompound[]> {
  let files = 0;
  for await (const file of readDump(path, onProgress)) {
    const isSdf = /\.sdf$/i.test(file.name);
    if (!isSdf && !/\.json$/i.test(file.name)) continue;
    files += 1;
    yield* isSdf ? readSdf(file) : readCompoundsOfJson(file);
  }
  if (files === 0) {
    throw new DumpError("there are neither files of Compound/Extras (CID-...) nor .sdf nor .json files in it");
  }
}

/** Line that ends a compound. */
const END = "$$$$";

/** Line with a tag, such as `> <PUBCHEM_COMPOUND_CID>`: the lines up to an empty one are its value. */
const TAG = /^> [^<]*<([^>]+)>/;

/** Tags of SDF files of PubChem; the first existing tag counts. */
const NAMES = {
  PUBCHEM_IUPAC_NAME: "iupac",
  PUBCHEM_IUPAC_CAS_NAME: "iupac",
  PUBCHEM_IUPAC_OPENEYE_NAME: "iupac",
  PUBCHEM_IUPAC_SYSTEMATIC_NAME: "iupac",
  PUBCHEM_IUPAC_TRADITIONAL_NAME: "synonym",
} as const;
const SMILES = ["PUBCHEM_SMILES", "PUBCHEM_OPENEYE_ISO_SMILES", "PUBCHEM_OPENEYE_CAN_SMILES"];

/** Yields the compounds of an SDF file; coordinates and bonds are skipped. */
async function* readSdf(file: DumpFile): AsyncGenerator<readonly FoundCompound[]> {
  let data = new Map<string, string>();
  let startLine = 1;
  let tag: string | undefined;
  let hasLines = false;
  for await (const { first, lines } of lineRuns(file)) {
    const compounds: FoundCompound[] = [];
    for (const [i, line] of lines.entries()) {
      if (line === END) {
        compounds.push({ part: file.name, line: startLine, ...mapSdfCompound(data) });
        [data, startLine, tag, hasLines] = [new Map(), first + i + 1, undefined, false];
        continue;
      }
      if (line !== "") hasLines = true;
      const tagName = TAG.exec(line)?.[1];
      if (tagName !== undefined) tag = tagName;
      else if (line === "") tag = undefined;
      else if (tag !== undefined && !data.has(tag)) data.set(tag, line);
    }
    yield compounds;
  }
  if (hasLines) {
    const reason = `the last compound does not end with ${END}; is the file cut off? Download it again`;
    yield [{ part: file.name, line: startLine, reason }];
  }
}

function mapSdfCompound(
  data: ReadonlyMap<string, string>,
): { readonly compound: PubChemCompound } | { readonly reason: string } {
  const at = (tag: string): string | undefined => nonEmpty(data.get(tag));
  const [cid, inchiKey] = [at("PUBCHEM_COMPOUND_CID"), at("PUBCHEM_IUPAC_INCHIKEY")];
  if (cid === undefined || inchiKey === undefined) {
    return { reason: "it lacks PUBCHEM_COMPOUND_CID or PUBCHEM_IUPAC_INCHIKEY; is this a file of PubChem?" };
  }
  const names = Object.entries(NAMES).flatMap(([tag, kind]) => {
    const name = at(tag);
    return name === undefined ? [] : [{ name, kind }];
  });
  // PubChem titles compounds without a name in this way.
  const title = at("PUBCHEM_IUPAC_TRADITIONAL_NAME") ?? names[0]?.name ?? `CID ${cid}`;
  const compound = {
    cid,
    inchiKey,
    title,
    synonyms: names,
    identifiers: [`cid:${cid}`],
    formula: at("PUBCHEM_MOLECULAR_FORMULA"),
    weight: parseDecimal(at("PUBCHEM_MOLECULAR_WEIGHT")),
    smiles: SMILES.map(at).find((smiles) => smiles !== undefined),
    inchi: at("PUBCHEM_IUPAC_INCHI"),
  };
  return { compound };
}

/** Properties of a compound that are requested. Synonyms are not properties; dumps have them. */
const PROPERTIES = "InChIKey,Title,MolecularFormula,MolecularWeight,SMILES,InChI,IUPACName";

/**
 * PUG-REST of PubChem: `/rest/pug/compound/inchikey/<key>/property/.../JSON`, and by name or CID. It has no search by
 * words: a text finds the compound with this name, InChIKey or CID. An unknown one is a 404 with a `Fault` whose code
 * is `PUGREST.NotFound`. Several compounds may have one InChIKey: the first one counts.
 * @see https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest
 */
export const pubchemLive: LiveSource = {
  name: "pubchem",
  title: "PubChem",
  ids: /^inchikey:[A-Z]{14}-[A-Z]{10}-[A-Z]$/,
  perSecond: 5,
  async find(get, id) {
    const [item] = readItems(await get(["rest", "pug", "compound", "inchikey", bareId(id), ...PROPERTY_PATH]));
    return item === undefined ? MISSING_TERM : { kind: "found", item };
  },
  async search(get, text, page) {
    // A text without letters and digits is not a name.
    if (!/[\p{L}\p{N}]/u.test(text)) return EMPTY_LIVE_PAGE;
    const [namespace, value] = interpretText(text);
    const answer = await get(["rest", "pug", "compound", namespace, value, ...PROPERTY_PATH]);
    const items = readItems(answer);
    if (items.length === 0) return EMPTY_LIVE_PAGE;
    const start = (page - 1) * LIMITS.lookupPageSize;
    return { items: items.slice(start, start + LIMITS.lookupPageSize), total: items.length };
  },
};

const PROPERTY_PATH = ["property", PROPERTIES, "JSON"];

/** Interprets a text: `962`, `cid:962`, an InChIKey with or without its prefix, or a name. */
function interpretText(text: string): readonly [namespace: string, value: string] {
  const bare = text.trim().replace(/^(?:inchikey|cid):/i, "");
  if (INCHI_KEY.test(bare)) return ["inchikey", bare];
  return /^[1-9]\d{0,9}$/.test(bare) ? ["cid", bare] : ["name", text.trim()];
}

/** Returns the terms of an answer, each InChIKey once; none if there is no such compound. */
function readItems(answer: JsonAnswer): readonly JsonObject[] {
  const body = parseObject(answer);
  if (answer.status !== 200) {
    const fault = textAt(objectAt(body, "Fault"), "Code") ?? "";
    // A malformed name is the name of no compound.
    if (fault === "PUGREST.NotFound" || fault === "PUGREST.BadRequest") return [];
    throw new WrongAnswer('a refusal of PUG-REST has a "Fault"');
  }
  const items = new Map<string, JsonObject>();
  for (const entry of compoundsIn(body)) {
    if (!("compound" in entry)) throw new WrongAnswer(entry.reason);
    const { inchiKey } = entry.compound;
    if (INCHI_KEY.test(inchiKey) && !items.has(inchiKey)) items.set(inchiKey, compoundTerm(entry.compound).item);
  }
  return [...items.values()];
}

/**
 * Yields the compounds of an answer of PUG-REST: `PC_Compounds` (`/compound/cid/.../JSON`), or a `PropertyTable`
 * (`/property/InChIKey,Title,...`). An answer is one JSON document of at most 16 MiB.
 */
async function* readCompoundsOfJson(file: DumpFile): AsyncGenerator<readonly FoundCompound[]> {
  const part = file.name;
  try {
    for await (const document of splitDocuments(part, file.text())) {
      const { line } = document;
      if ("reason" in document) yield [{ part, line, reason: document.reason }];
      else yield compoundsIn(document.value).map((each) => ({ part, line, ...each }));
    }
  } catch (error) {
    throw withLine(error, part, 1);
  }
}

/** A compound of an answer, or the reason why it is invalid. */
type FoundPubChem = { readonly compound: PubChemCompound } | { readonly reason: string };

/** Returns the compounds of an answer, or the reason why there are none. */
function compoundsIn(value: Json): readonly FoundPubChem[] {
  const answer = isObject(value) ? value : {};
  const compoundRecords = objectsAt(answer, "PC_Compounds");
  const table = objectsAt(objectAt(answer, "PropertyTable"), "Properties");
  if (compoundRecords.length + table.length === 0) {
    return [{ reason: 'there is neither "PC_Compounds" nor a "PropertyTable" in it; is this an answer of PUG-REST?' }];
  }
  return [...compoundRecords.map(mapCompound), ...table.map(mapProperties)];
}

/**
 * Maps a whole compound, whose properties are like `{"urn": {"label": "SMILES", "name": "Absolute"}, "value": {"sval":
 * "CCO"}}`.
 */
function mapCompound(record: JsonObject): FoundPubChem {
  const cid = textAt(objectAt(objectAt(record, "id"), "id"), "cid");
  const props = objectsAt(record, "props").map((prop) => {
    const [urn, value] = [objectAt(prop, "urn"), objectAt(prop, "value")];
    const text = textAt(value, "sval") ?? textAt(value, "fval") ?? textAt(value, "ival");
    return { label: textAt(urn, "label") ?? "", name: textAt(urn, "name") ?? "", text };
  });
  const valueOfLabel = (label: string, ...names: readonly string[]): string | undefined => {
    const labelled = props.filter((prop) => prop.label === label);
    const named = names.map((name) => labelled.find((prop) => prop.name === name));
    return (named.find((prop) => prop !== undefined) ?? labelled[0])?.text;
  };
  const names = props.filter(({ label }) => label === "IUPAC Name");
  const title = valueOfLabel("IUPAC Name", "Traditional", "Preferred");
  return checkCompound(cid, {
    inchiKey: valueOfLabel("InChIKey"),
    title,
    names: names.flatMap(({ text, name }) =>
      text === undefined ? [] : [{ name: text, kind: name === "Traditional" ? "synonym" : "iupac" }],
    ),
    formula: valueOfLabel("Molecular Formula"),
    weight: valueOfLabel("Molecular Weight"),
    smiles: valueOfLabel("SMILES", "Absolute", "Isomeric", "Canonical"),
    inchi: valueOfLabel("InChI"),
  });
}

/** Maps a row of properties, such as `{"CID": 702, "InChIKey": "...", "Title": "Ethanol"}`. */
function mapProperties(row: JsonObject): FoundPubChem {
  const at = (...names: readonly string[]): string | undefined =>
    names.map((name) => textAt(row, name)).find((text) => text !== undefined);
  const iupac = at("IUPACName");
  return checkCompound(at("CID"), {
    inchiKey: at("InChIKey"),
    title: at("Title") ?? iupac,
    names: [
      ...(iupac === undefined ? [] : [{ name: iupac, kind: "iupac" }]),
      ...textsAt(row, "Synonym").map((name) => ({ name, kind: "synonym" })),
    ],
    formula: at("MolecularFormula"),
    weight: at("MolecularWeight"),
    smiles: at("SMILES", "IsomericSMILES", "ConnectivitySMILES", "CanonicalSMILES"),
    inchi: at("InChI"),
  });
}

interface CompoundData {
  readonly inchiKey: string | undefined;
  readonly title: string | undefined;
  readonly names: PubChemCompound["synonyms"];
  readonly formula: string | undefined;
  readonly weight: string | undefined;
  readonly smiles: string | undefined;
  readonly inchi: string | undefined;
}

function checkCompound(
  cid: string | undefined,
  { inchiKey, title, names, weight, ...rest }: CompoundData,
): FoundPubChem {
  if (cid === undefined || inchiKey === undefined) {
    return { reason: `compound ${cid ?? "without a CID"} lacks ${cid === undefined ? "its CID" : "its InChIKey"}` };
  }
  const identifiers = [`cid:${cid}`];
  const compound = { cid, inchiKey, title: title ?? `CID ${cid}`, synonyms: names, identifiers, ...rest };
  return { compound: { ...compound, weight: parseDecimal(weight) } };
}
