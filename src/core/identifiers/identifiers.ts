/**
 * Persistent identifiers in free texts: the register of an identifier, its normal form, and its URL. Identifiers with a
 * check digit are recognised only if it is correct.
 */
import { isEan13, isMod11, isOrcid, mod11Radix2, mod97 } from "./check-digits.js";

export type IdentifierScheme =
  | "doi"
  | "orcid"
  | "ror"
  | "isni"
  | "isbn"
  | "issn"
  | "pmid"
  | "pmcid"
  | "arxiv"
  | "handle"
  | "uniprot"
  | "pdb"
  | "chebi"
  | "pubchem"
  | "inchikey"
  | "taxonomy"
  | "url";

export interface Identifier {
  readonly scheme: IdentifierScheme;
  /** Normal form without a prefix: `10.1038/227680a0`, `0000-0002-1825-0097`. */
  readonly value: string;
  /** URL that resolves it; absent if there is none. */
  readonly url?: string;
}

interface Register {
  readonly scheme: IdentifierScheme;
  /** Possible prefixes of an identifier, in lower case; the first one that fits is removed. */
  readonly prefixes: readonly string[];
  /** Pattern of the identifier without a prefix. */
  readonly form: RegExp;
  /** Is it recognised without a prefix? */
  readonly isBare?: true;
  readonly isValid?: (value: string) => boolean;
  readonly normal?: (value: string) => string;
  readonly url?: (value: string) => string;
}

const compact = (value: string): string => value.replaceAll(/[\s-]/g, "").toUpperCase();

/** Returns a function that makes the URL of an identifier without its own form of address. */
const identifiersOrg =
  (prefix: string) =>
  (value: string): string =>
    `https://identifiers.org/${prefix}:${encodeURIComponent(value)}`;

const web = (host: string): readonly string[] => [`https://${host}/`, `http://${host}/`, `${host}/`];

const REGISTERS: readonly Register[] = [
  {
    scheme: "doi",
    prefixes: ["doi:", ...web("doi.org"), ...web("dx.doi.org"), ...web("www.doi.org")],
    form: /^10\.\d{4,9}\/\S+$/,
    isBare: true,
    url: (value) => `https://doi.org/${encodeURI(value).replaceAll(/[?#]/g, encodeURIComponent)}`,
  },
  {
    scheme: "orcid",
    prefixes: ["orcid:", ...web("orcid.org"), ...web("www.orcid.org")],
    form: /^\d{4}-\d{4}-\d{4}-\d{3}[\dXx]$/,
    isBare: true,
    isValid: isOrcid,
    normal: (value) => value.toUpperCase(),
    url: (value) => `https://orcid.org/${value}`,
  },
  {
    scheme: "ror",
    prefixes: ["ror:", ...web("ror.org")],
    form: /^0[a-hj-km-np-tv-z\d]{6}\d{2}$/i,
    isValid: (value) => mod97(value.slice(1, 7).toLowerCase()) === value.slice(7),
    normal: (value) => value.toLowerCase(),
    url: (value) => `https://ror.org/${value}`,
  },
  {
    scheme: "isni",
    prefixes: ["isni:", ...web("isni.org/isni"), ...web("www.isni.org/isni")],
    form: /^\d{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{3}[\dXx]$/,
    isValid: (value) => compact(value).endsWith(mod11Radix2(compact(value).slice(0, -1))),
    normal: compact,
    url: (value) => `https://isni.org/isni/${value}`,
  },
  {
    scheme: "isbn",
    prefixes: ["isbn:", "isbn ", "urn:isbn:"],
    form: /^(?:\d[\s-]?){9}[\dXx]$|^(?:\d[\s-]?){12}\d$/,
    isValid: (value) => (compact(value).length === 10 ? isMod11(compact(value)) : isEan13(compact(value))),
    normal: compact,
  },
  {
    scheme: "issn",
    prefixes: ["issn:", "issn ", "urn:issn:"],
    form: /^\d{4}-?\d{3}[\dXx]$/,
    isValid: (value) => isMod11(compact(value)),
    normal: (value) => `${compact(value).slice(0, 4)}-${compact(value).slice(4)}`,
    url: (value) => `https://portal.issn.org/resource/ISSN/${value}`,
  },
  {
    scheme: "pmid",
    prefixes: ["pmid:", ...web("pubmed.ncbi.nlm.nih.gov")],
    form: /^[1-9]\d{0,8}\/?$/,
    normal: (value) => value.replace("/", ""),
    url: (value) => `https://pubmed.ncbi.nlm.nih.gov/${value}/`,
  },
  {
    scheme: "pmcid",
    prefixes: ["pmcid:", ...web("pmc.ncbi.nlm.nih.gov/articles")],
    form: /^PMC[1-9]\d{0,8}\/?$/i,
    isBare: true,
    normal: (value) => value.toUpperCase().replace("/", ""),
    url: (value) => `https://pmc.ncbi.nlm.nih.gov/articles/${value}/`,
  },
  {
    scheme: "arxiv",
    prefixes: ["arxiv:", ...web("arxiv.org/abs")],
    form: /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/,
    url: (value) => `https://arxiv.org/abs/${value}`,
  },
  {
    scheme: "handle",
    prefixes: ["hdl:", "handle:", ...web("hdl.handle.net")],
    form: /^\d+(?:\.\d+)*\/\S+$/,
    url: (value) => `https://hdl.handle.net/${encodeURI(value)}`,
  },
  {
    scheme: "uniprot",
    prefixes: ["uniprot:", "uniprotkb:"],
    form: /^(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})(?:-\d+)?$/i,
    normal: (value) => value.toUpperCase(),
    url: (value) => `https://www.uniprot.org/uniprotkb/${value}`,
  },
  { scheme: "pdb", prefixes: ["pdb:"], form: /^(?:pdb_\d{5})?\d[a-z\d]{3}$/i, url: identifiersOrg("pdb") },
  { scheme: "chebi", prefixes: ["chebi:"], form: /^\d+$/, url: identifiersOrg("CHEBI") },
  { scheme: "pubchem", prefixes: ["cid:", "pubchem:"], form: /^[1-9]\d*$/, url: identifiersOrg("pubchem.compound") },
  {
    scheme: "inchikey",
    prefixes: ["inchikey:", "inchikey="],
    form: /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/,
    isBare: true,
    url: identifiersOrg("inchikey"),
  },
  { scheme: "taxonomy", prefixes: ["taxid:", "taxonomy:"], form: /^[1-9]\d*$/, url: identifiersOrg("taxonomy") },
  { scheme: "url", prefixes: [], form: /^https?:\/\/[^\s/]\S*$/i, isBare: true, isValid: URL.canParse, url: String },
];

/** Recognises an identifier; undefined if no register has this form, or if the check digit is wrong. */
export function recogniseIdentifier(text: string): Identifier | undefined {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  for (const { scheme, prefixes, form, isBare, isValid, normal, url } of REGISTERS) {
    const prefix = prefixes.find((each) => lower.startsWith(each)) ?? "";
    if (prefix === "" && isBare !== true) continue;
    const value = trimmed.slice(prefix.length).trim();
    if (!form.test(value) || isValid?.(value) === false) continue;
    const normalForm = normal === undefined ? value : normal(value);
    return { scheme, value: normalForm, ...(url === undefined ? {} : { url: url(normalForm) }) };
  }
  return undefined;
}
