/**
 * Identifiers in queries and values. People paste them as web addresses, and as ids with the prefixes of other
 * registers; an index stores all forms of an identifier.
 */
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { citedNumber } from "../../core/identifiers.js";
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
export const identifierText = (pasted: PastedIdentifier): string =>
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

/** Term with its vocabulary: `taxid:562` in `organisms`. */
export interface KnownId {
  readonly vocabulary: string;
  readonly id: string;
  /** First block of an InChIKey, folded, if the id is only this. It matches all compounds whose ids begin with it. */
  readonly block?: string;
  /** Whether the vocabulary has no hierarchy. */
  readonly isFlat: boolean;
}

const INCHIKEY = /^(?:[a-z][a-z0-9._-]*:)?([a-z]{14})(?:-[a-z]{10}-[a-z])?$/iu;

/**
 * Returns the first block of an InChIKey, or a text that is such a block, as an analysed word. Isotopes and
 * stereoisomers of a compound share it. No other part of an InChIKey has 14 letters, so it is found as a word.
 * Undefined for any other text.
 */
export function compoundBlock(text: string): string | undefined {
  return INCHIKEY.exec(text)?.[1]?.toLowerCase();
}

/** Returns the term of a vocabulary with an unquoted id, whose prefix may be in any case; empty if there is none. */
export function idIn(vocabulary: Vocabulary, text: string): readonly KnownId[] {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !vocabulary.idPrefixes.includes(prefix)) return [];
  const source = { vocabulary: vocabulary.name, isFlat: !vocabulary.hierarchy };
  const rest = text.slice(colon + 1);
  const spellings = [rest, rest.toLowerCase(), rest.toUpperCase()].map((spelling) => `${prefix}:${spelling}`);
  const ownId = spellings.find((spelling) => hasIdForm(vocabulary, spelling));
  const id =
    ownId === undefined
      ? vocabulary.aliases.get(text.toLowerCase())
      : (vocabulary.aliases.get(ownId.toLowerCase()) ?? ownId);
  if (id !== undefined) return [{ ...source, id }];
  const block = vocabulary.idKind === "inchikey" ? compoundBlock(rest) : undefined;
  return block === undefined ? [] : [{ ...source, id: text, block }];
}

/** Returns the term of a vocabulary that has a text as another id. */
export function aliasIn({ name, aliases, hierarchy }: Vocabulary, text: string): readonly KnownId[] {
  const id = aliases.get(text.toLowerCase());
  return id === undefined ? [] : [{ vocabulary: name, id, isFlat: !hierarchy }];
}

/** Last parts of the paths of identifiers. */
const IDENTIFIER_NAMES = new Set([
  "id",
  "identifiers",
  "external_identifier",
  "external_databases",
  "additional_identifiers",
]);

/** Returns whether the values at a path are identifiers. */
export function isIdentifierPath(path: string): boolean {
  return IDENTIFIER_NAMES.has(path.slice(path.lastIndexOf(".") + 1));
}

const HOST = /^https?:\/\/[^/\s]+\//iu;
const PREFIX = /^[a-z][a-z0-9._-]*:/iu;

/**
 * Returns the words of an identifier in all forms in which people paste it: the whole value, without the host of its
 * URL, and without its prefix (`P69905` for `Uniprot:P69905`). Equal forms and forms without words are left out.
 */
export function identifierForms(value: string): readonly (readonly string[])[] {
  const local = value.replace(HOST, "");
  const texts = new Set([value, local, local.replace(PREFIX, "")]);
  const forms = [...texts].map(analyse).filter((words) => words.length > 0);
  return forms.length < 2 ? forms : [...new Map(forms.map((words) => [words.join(" "), words])).values()];
}
