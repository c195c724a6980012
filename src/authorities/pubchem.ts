import { DumpError } from "../formats/dumps/dump-error.js";
import { dumpFiles, readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions } from "../ports/authorities.js";
import { compoundItem, type FoundCompound, INCHI_KEY, isWanted } from "./compound.js";
import { baseName } from "./dump-names.js";
import { readExtras } from "./pubchem-extras.js";
import { compoundsOfJson } from "./pubchem-json.js";
import { readSdf } from "./pubchem-sdf.js";

/**
 * PubChem compounds: files of `Compound/Extras` side by side, SDF, or JSON as PUG-REST answers it. Several compounds
 * may have one InChIKey: the one with the smallest number counts where the file is in their order, as PubChem's are.
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
  for await (const found of isExtras ? readExtras(files, options) : readOthers(path, options)) {
    yield found.flatMap((each): DumpEntry[] => {
      const { part, line } = each;
      if ("reason" in each) return [{ part, line, reason: each.reason }];
      const { cid, inchiKey } = each.compound;
      if (!INCHI_KEY.test(inchiKey)) return [{ part, line, reason: `compound ${cid}: "${inchiKey}" is no InChIKey` }];
      if (!isWanted(options.only, cid, inchiKey)) return [];
      const made = compoundItem(each.compound);
      dropped += made.dropped;
      return [{ part, line, item: made.item }];
    });
  }
  if (dropped > 0) yield [{ leftOut: "synonyms of compounds that have thousands of them", count: dropped }];
}

async function* readOthers(path: string, { onProgress }: DumpOptions): AsyncGenerator<readonly FoundCompound[]> {
  let files = 0;
  for await (const file of readDump(path, onProgress)) {
    const isSdf = /\.sdf$/i.test(file.name);
    if (!isSdf && !/\.json$/i.test(file.name)) continue;
    files += 1;
    yield* isSdf ? readSdf(file) : compoundsOfJson(file);
  }
  if (files === 0) {
    throw new DumpError("there are neither files of Compound/Extras (CID-...) nor .sdf nor .json files in it");
  }
}
