import { lineRuns } from "../formats/dumps/line-runs.js";
import type { DumpFile } from "../formats/dumps/read-dump.js";
import { type FoundCompound, numberIn, type PubChemCompound, said } from "./compound.js";

/** Ends a compound. */
const END = "$$$$";

/** `> <PUBCHEM_COMPOUND_CID>`: the lines up to an empty one are its value. */
const TAG = /^> [^<]*<([^>]+)>/;

/** Data of SDF files that PubChem writes; the first tag that there is counts. */
const NAMES = {
  PUBCHEM_IUPAC_NAME: "iupac",
  PUBCHEM_IUPAC_CAS_NAME: "iupac",
  PUBCHEM_IUPAC_OPENEYE_NAME: "iupac",
  PUBCHEM_IUPAC_SYSTEMATIC_NAME: "iupac",
  PUBCHEM_IUPAC_TRADITIONAL_NAME: "synonym",
} as const;
const SMILES = ["PUBCHEM_SMILES", "PUBCHEM_OPENEYE_ISO_SMILES", "PUBCHEM_OPENEYE_CAN_SMILES"];

/** The compounds of an SDF file; coordinates and bonds are passed over. */
export async function* readSdf(file: DumpFile): AsyncGenerator<readonly FoundCompound[]> {
  let data = new Map<string, string>();
  let begun = 1;
  let tag: string | undefined;
  let hasLines = false;
  for await (const { first, lines } of lineRuns(file)) {
    const found: FoundCompound[] = [];
    for (const [i, line] of lines.entries()) {
      if (line === END) {
        found.push({ part: file.name, line: begun, ...compoundOf(data) });
        [data, begun, tag, hasLines] = [new Map(), first + i + 1, undefined, false];
        continue;
      }
      if (line !== "") hasLines = true;
      const named = TAG.exec(line)?.[1];
      if (named !== undefined) tag = named;
      else if (line === "") tag = undefined;
      else if (tag !== undefined && !data.has(tag)) data.set(tag, line);
    }
    yield found;
  }
  if (hasLines) {
    const reason = `the last compound does not end with ${END}; is the file cut off? Download it again`;
    yield [{ part: file.name, line: begun, reason }];
  }
}

function compoundOf(
  data: ReadonlyMap<string, string>,
): { readonly compound: PubChemCompound } | { readonly reason: string } {
  const at = (tag: string): string | undefined => said(data.get(tag));
  const [cid, inchiKey] = [at("PUBCHEM_COMPOUND_CID"), at("PUBCHEM_IUPAC_INCHIKEY")];
  if (cid === undefined || inchiKey === undefined) {
    return { reason: "it lacks PUBCHEM_COMPOUND_CID or PUBCHEM_IUPAC_INCHIKEY; is this a file of PubChem?" };
  }
  const names = Object.entries(NAMES).flatMap(([tag, kind]) => {
    const name = at(tag);
    return name === undefined ? [] : [{ name, kind }];
  });
  // As PubChem titles compounds without a name.
  const title = at("PUBCHEM_IUPAC_TRADITIONAL_NAME") ?? names[0]?.name ?? `CID ${cid}`;
  const compound = {
    cid,
    inchiKey,
    title,
    synonyms: names,
    identifiers: [`cid:${cid}`],
    formula: at("PUBCHEM_MOLECULAR_FORMULA"),
    weight: numberIn(at("PUBCHEM_MOLECULAR_WEIGHT")),
    smiles: SMILES.map(at).find((smiles) => smiles !== undefined),
    inchi: at("PUBCHEM_IUPAC_INCHI"),
  };
  return { compound };
}
