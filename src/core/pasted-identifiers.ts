/**
 * Identifiers as people paste them: as web addresses, and with the prefixes of other registers. Those of molecules have
 * one normal form, under which their records are found.
 */
import { recogniseIdentifier } from "./identifiers.js";

/** Identifier in a web address or after a foreign prefix. */
export interface PastedIdentifier {
  /** Prefix of term ids here (`taxid`); "" if the value is unique without one. */
  readonly prefix: string;
  readonly value: string;
  readonly isAddress: boolean;
}

const START = String.raw`^(?:(?:url:)?https?:\/\/)?(?:www\.)?`;
const END = `(?=$|[/?#&;])`;
const address = (pattern: string): RegExp => new RegExp(START + pattern + END, "iu");

/** Web addresses of registers, each with the prefix of its identifiers. The first group is the identifier. */
const ADDRESSES: readonly (readonly [prefix: string, form: RegExp])[] = [
  ["doi", new RegExp(String.raw`${START}(?:dx\.)?doi\.org\/(10\..+)$`, "iu")],
  ["orcid", address(String.raw`orcid\.org\/(\d{4}-\d{4}-\d{4}-\d{3}[\dX])`)],
  ["ror", address(String.raw`ror\.org\/(0[a-z\d]{8})`)],
  ["uniprot", address(String.raw`(?:rest\.|purl\.)?uniprot\.org\/(?:uniprotkb|uniprot)\/([a-z\d]{6,10})(?:[-.]\w+)?`)],
  ["taxid", address(String.raw`(?:rest\.|purl\.)?uniprot\.org\/taxonomy\/(\d+)`)],
  ["taxid", address(String.raw`ncbi\.nlm\.nih\.gov\/taxonomy\/browser\/wwwtax\.cgi\?(?:\S*[&;])?id=(\d+)`)],
  ["taxid", address(String.raw`ncbi\.nlm\.nih\.gov\/(?:datasets\/)?taxonomy\/(?:\?term=)?(\d+)`)],
  ["taxid", address(String.raw`purl\.obolibrary\.org\/obo\/ncbitaxon_(\d+)`)],
  ["chebi", address(String.raw`purl\.obolibrary\.org\/obo\/chebi_(\d+)`)],
  ["chebi", address(String.raw`ebi\.ac\.uk\/chebi\/(?:searchid\.do\?chebiid=)?chebi:(\d+)`)],
  ["cid", address(String.raw`pubchem\.ncbi\.nlm\.nih\.gov\/compound\/(\d+)`)],
  ["", address(String.raw`pubchem\.ncbi\.nlm\.nih\.gov\/compound\/([^/?#]+)`)],
  ["", address(String.raw`(?:rcsb\.org\/structure|ebi\.ac\.uk\/pdbe\/entry\/pdb)\/([a-z\d]{4})`)],
  ["", address(String.raw`cordis\.europa\.eu\/project\/(?:id|rcn)\/(\d+)`)],
  ["", address(String.raw`isni\.org\/(?:isni\/)?(\d{15}[\dX])`)],
  ["", address(String.raw`grid\.ac\/institutes\/(grid\.\d+\.[a-z\d]+)`)],
  ["", address(String.raw`wikidata\.org\/(?:wiki|entity)\/(Q\d+)`)],
];

/** Web addresses of services that resolve ids of many registers: `identifiers.org/taxonomy:9606`. */
const RESOLVER = new RegExp(
  `${START}(?:identifiers\\.org|bioregistry\\.io|n2t\\.net)\\/` +
    String.raw`(?:[a-z\d.]+\/(?=[a-z\d.]+:))?([a-z][\w.]*)[:/](.+)$`,
  "iu",
);

/** Prefixes of term ids here, by the prefixes of other registers in lower case. */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    taxid: ["ncbitaxon", "ncbi_taxid", "ncbi_taxon", "taxonomy", "taxon", "txid"],
    cid: ["pubchem.compound", "pubchem", "pubchemcid", "pubchem_cid"],
    uniprot: ["uniprotkb", "uniprot.protein"],
    doi: [],
    orcid: [],
    ror: [],
    inchikey: [],
    chebi: [],
  }).flatMap(([ours, theirs]) => [ours, ...theirs].map((prefix) => [prefix, ours] as const)),
);

/** Prefixes of identifiers whose values are unique: no other text has their form. */
const UNIQUE: ReadonlySet<string> = new Set(["", "doi", "orcid", "ror", "uniprot"]);

/** Returns whether the value of an identifier is unique, so that it is found without its prefix. */
export const isUniqueWithoutPrefix = ({ prefix }: PastedIdentifier): boolean => UNIQUE.has(prefix);

/** Reads an identifier that is written as a web address or with a foreign prefix. Undefined for any other text. */
export function pastedIdentifier(text: string): PastedIdentifier | undefined {
  const trimmed = text.trim();
  const opened = trimmed.replace(/^[<([]+/u, "");
  const bare = opened === trimmed ? trimmed : opened.replace(/(?<![>)\].,;])[>)\].,;]+$/u, "");
  if (/\s/u.test(bare)) return undefined;
  for (const [prefix, form] of ADDRESSES) {
    const value = form.exec(bare)?.[1];
    if (value !== undefined) return { prefix, value: decode(value), isAddress: true };
  }
  const [, register, id] = RESOLVER.exec(bare) ?? [];
  if (register !== undefined && id !== undefined) {
    return { prefix: PREFIXES.get(register.toLowerCase()) ?? "", value: decode(id), isAddress: true };
  }
  const foreign = /^(?:ncbi:?)?(txid)(\d+)$/iu.exec(bare) ?? /^([a-z][\w.]*):([^:\s/]+)$/iu.exec(bare);
  const prefix = PREFIXES.get(foreign?.[1]?.toLowerCase() ?? "");
  const isForeign = prefix !== undefined && prefix !== foreign![1]!.toLowerCase();
  return isForeign ? { prefix, value: foreign![2]!, isAddress: false } : undefined;
}

/** Decodes percent-escapes and removes slashes at the end. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value).replace(/(?<!\/)\/+$/u, "");
  } catch {
    return value;
  }
}

/** Returns the text that records contain for a pasted identifier. */
export const identifierText = (pasted: PastedIdentifier): string =>
  isUniqueWithoutPrefix(pasted) ? pasted.value : `${pasted.prefix}:${pasted.value}`;

/** Form of the ids of molecules in a register. */
interface MoleculeForm {
  readonly prefix: string;
  /** Other prefixes of the register, in lower case. */
  readonly aliases?: readonly string[];
  /** Pattern of an id without its prefix. The first group is the part that counts. */
  readonly form: RegExp;
  /** Whether such an id is recognised without a prefix. */
  readonly isBare?: true;
}

/** The registers of molecules, in the order in which a molecule with several ids is named. */
const MOLECULES: readonly MoleculeForm[] = [
  {
    prefix: "uniprot",
    aliases: ["uniprotkb"],
    // An accession number, then the number of an isoform and a version.
    form: /^([OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})(?:-\d+)?(?:\.\d+)?$/i,
    isBare: true,
  },
  { prefix: "inchikey", form: /^([A-Z]{14}-[A-Z]{10}-[A-Z])$/i, isBare: true },
  // The first block, which compounds with the same skeleton share.
  { prefix: "inchikey", form: /^([A-Z]{14})$/i },
  { prefix: "chebi", form: /^(?:chebi:)?(\d+)$/i },
  { prefix: "cid", aliases: ["pubchem", "pubchem.compound"], form: /^([1-9]\d*)$/ },
  // The code of an entry, also as a code of 12 letters, then a chain or a version.
  { prefix: "pdb", form: /^(?:pdb_0000)?(\d[a-z\d]{3})(?:[_.:-]\w+(?:[-.]\w+)?)?$/i },
  { prefix: "pdb", form: /^(\d(?=\d{0,2}[a-z])[a-z\d]{3})$/i, isBare: true },
];

/** An id of a register without a known form. */
const ELSEWHERE = /^([a-z][a-z\d._-]*):(?!\/\/)(\S+)$/i;

/**
 * Returns the normal form of an id of a molecule: `uniprot:P00698`, `pdb:1LYZ`, `inchikey:` with the whole key or its
 * first block, `chebi:17790`, `cid:962`; of other registers, the prefix in lower case and the id as it is. Isoforms and
 * versions in UniProt, and chains and versions in the PDB, have the id of their entry. Raise `ANALYSIS_VERSION` if a
 * form changes, because indexes contain them.
 *
 * @param text the id in any case, or its web address. Without a prefix it is recognised if its form is unique
 * @returns undefined for any other text, and for identifiers of persons, publications and other things
 */
export function moleculeId(text: string): string | undefined {
  const pasted = pastedIdentifier(text);
  const plain = (pasted === undefined ? text.trim() : identifierText(pasted)).replace(/^inchikey=/i, "inchikey:");
  const colon = plain.indexOf(":");
  const [prefix, local] = [plain.slice(0, Math.max(colon, 0)).toLowerCase(), plain.slice(colon + 1)];
  for (const molecule of MOLECULES) {
    const isKnown = prefix === "" ? molecule.isBare : prefix === molecule.prefix || molecule.aliases?.includes(prefix);
    const id = isKnown ? molecule.form.exec(local)?.[1] : undefined;
    if (id !== undefined) return `${molecule.prefix}:${id.toUpperCase()}`;
  }
  if (!ELSEWHERE.test(plain) || MOLECULES.some((each) => each.prefix === prefix)) return undefined;
  return recogniseIdentifier(plain) === undefined ? `${prefix}:${local}` : undefined;
}

/** Compares ids of molecules: by the registers in the order in which molecules are named, then as texts. */
export function compareMoleculeIds(a: string, b: string): number {
  return placeOf(a) - placeOf(b) || (a < b ? -1 : Number(a > b));
}

function placeOf(id: string): number {
  const place = MOLECULES.findIndex(({ prefix }) => id.startsWith(`${prefix}:`));
  return place < 0 ? MOLECULES.length : place;
}

/** Returns the first block of the InChIKey of a molecule as an id. Undefined for any other id. */
export function skeletonId(id: string): string | undefined {
  return /^inchikey:[A-Z]{14}(?=-)/.exec(id)?.[0];
}
