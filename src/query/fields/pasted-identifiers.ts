/** Identifiers as people paste them: web addresses, and ids with the prefixes of other registers. */
import { citedNumber } from "../../core/identifiers/project-numbers.js";
import { analyse } from "../text/analyse.js";

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
export const isUnique = ({ prefix }: PastedIdentifier): boolean => UNIQUE.has(prefix);

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
export const heldText = (pasted: PastedIdentifier): string =>
  isUnique(pasted) ? pasted.value : `${pasted.prefix}:${pasted.value}`;

/**
 * A URL with or without its scheme; the group is the text after the host. Without a scheme, the host needs a dot and an
 * alphabetic top-level domain (RFC 1123, 2.1), so that `0.5/562` is not a URL.
 */
const URL_PARTS =
  /(?<![\p{L}\d.:/@_-])(?:https?:\/\/[^\s/?#]+|(?:[\p{L}\d-]+\.)+\p{L}[\p{L}\d-]+(?::\d+)?)[/?#](\S+)/iu;

/** Maximum number of words in an identifier at the end of a URL. */
const TAIL_WORDS = 6;

/**
 * Returns the last words of a text, in which the identifier of a term may be: after the host of a URL, after a foreign
 * prefix, or in a number that is written in groups. Undefined for any other text.
 */
export function identifierTail(text: string): readonly string[] | undefined {
  const plain = text.replace(/\\(.)/gsu, "$1");
  const pasted = pastedIdentifier(plain);
  if (pasted !== undefined) return analyse(pasted.value).slice(-TAIL_WORDS);
  const rest = URL_PARTS.exec(plain)?.[1];
  if (rest !== undefined) return analyse(rest).slice(-TAIL_WORDS);
  const number = citedNumber(plain);
  return number === undefined ? undefined : analyse(number);
}
