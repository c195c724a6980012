import { isObject, type Json, type JsonObject } from "../core/json.js";
import { type DumpFile, withLine } from "../formats/dumps/dump-file.js";
import { splitDocuments } from "../formats/read-documents.js";
import { type FoundCompound, type PubChemCompound, parseNumber } from "./compound.js";
import { objectAt, objectsAt, textAt, textsAt } from "./dump-documents.js";

/**
 * Yields the compounds of an answer of PUG-REST: `PC_Compounds` (`/compound/cid/.../JSON`), or a `PropertyTable`
 * (`/property/InChIKey,Title,...`). An answer is one JSON document of at most 16 MiB.
 */
export async function* readCompoundsOfJson(file: DumpFile): AsyncGenerator<readonly FoundCompound[]> {
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
export function compoundsIn(value: Json): readonly FoundPubChem[] {
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
  return { compound: { ...compound, weight: parseNumber(weight) } };
}
