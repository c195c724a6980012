/**
 * Persistent identifiers in free texts: the register of an identifier, its normal form, and its URL. Identifiers with a
 * check digit are recognised only if it is correct. Also the forms in which people cite numbers of funded projects.
 */

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

/** A persistent identifier. */
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
  /** Whether it is recognised without a prefix. */
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

/** Returns the 16th digit for 15 digits by MOD 11-2 (ISO 7064), as in ORCID iDs and ISNIs; `X` for 10. */
function mod11Radix2(digits: string): string {
  let sum = 0;
  for (const digit of digits) sum = (sum + Number(digit)) * 2;
  return letterOf((12 - (sum % 11)) % 11);
}

/** Checks the weighted sum modulo 11 of ISBN-10 and ISSN: the last digit has weight 1, and may be `X` for 10. */
function isMod11(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => (digit === "X" ? 10 : Number(digit)) * (digits.length - i));
  return weighted.reduce((sum, each) => sum + each, 0) % 11 === 0;
}

/** Checks the weighted sum of EAN-13, as in ISBN-13: digits have the weights 1 and 3 in turn. */
function isEan13(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3));
  return weighted.reduce((sum, each) => sum + each, 0) % 10 === 0;
}

/**
 * Checks a CAS number: the digits before the last one have the weights 1, 2, 3 ... from the right.
 * @param number `64-17-5`
 */
export function isCas(number: string): boolean {
  const digits = [...number.replaceAll("-", "")].map(Number).reverse();
  const [check, ...others] = digits;
  return others.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === check;
}

/** Digits of base 32 (Crockford), without the letters i, l, o, u. */
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns the two last digits by MOD 97-10 (ISO 7064) over base 32, as in ROR ids. @param local in lower case */
function mod97(local: string): string {
  const number = [...local].reduce((sum, letter) => sum * 32 + BASE_32.indexOf(letter), 0);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}

const letterOf = (digit: number): string => (digit === 10 ? "X" : String(digit));

/** The prefix of an ORCID iD: its register (`orcid:0000-0002-1825-0097`), or its address. */
const SCHEME = /^\s*(?:orcid:|https?:\/\/(?:www\.)?orcid\.org\/)\s*/i;
const FORM = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/i;

/**
 * Returns the fault of an identifier with the prefix of an ORCID iD; undefined if it is correct or another identifier.
 */
export function orcidFault(identifier: string): "form" | "check digit" | undefined {
  const scheme = SCHEME.exec(identifier);
  if (scheme === null) return undefined;
  const id = identifier.slice(scheme[0].length).trim();
  if (!FORM.test(id)) return "form";
  return isOrcid(id) ? undefined : "check digit";
}

/** Returns whether this is an ORCID iD without its prefix, with a correct check digit. */
function isOrcid(id: string): boolean {
  const digits = id.replaceAll("-", "").toUpperCase();
  return FORM.test(id) && digits.endsWith(mod11Radix2(digits.slice(0, -1)));
}

/**
 * NIH number (`5R01AR065953-03`): type of application, activity (`R01`, `UL1`, `U2C`, `ZIA`), institute, serial number,
 * year and suffixes.
 */
const NIH = new RegExp(
  String.raw`(?<![\p{L}\d])(\d)?[\s-]?([A-Z](?:[A-Z\d]\d|\d[A-Z])|Z[A-Z]{2})[\s-]?((?!OR)[A-Z]{2})[\s-]?(\d{6})` +
    String.raw`(?:[\s-]?(\d{2}[A-Z\d]{0,4}))?(?![\p{L}\d])`,
  "iu",
);

/** Number in groups of three digits: `101 004 806`, `101.004.806`. `101.004` is not one: it may be a decimal. */
const GROUPED = /^\d{1,3}(?:(?:\s\d{3}){1,4}|([.,'\u2019])\d{3}(?:\1\d{3}){1,3})$/u;

/** Maximum length of a project number. */
const NUMBER_LENGTH_MAX = 40;

/**
 * Returns the other forms in which a number is cited: for an NIH number, the activity with the serial number, or the
 * latter alone; for any other number, the number without blanks and signs, or with a blank between letters and digits.
 */
export function projectNumberForms(number: string): readonly string[] {
  if (number.length > NUMBER_LENGTH_MAX || !/\d/.test(number)) return [];
  const [whole, type, activity, institute, serial, suffix] = NIH.exec(number) ?? [];
  if (whole !== undefined && whole.length === number.trim().length) {
    const project = `${institute}${serial}`;
    const [before, behind] = [type === undefined ? "" : `${type} `, suffix === undefined ? "" : ` ${suffix}`];
    const short = [`${activity}${project}`, `${activity} ${project}`, project];
    return [...short, `${before}${activity} ${project}${behind}`, `${activity}${project}${behind}`];
  }
  const parts = number.match(/\p{L}+|\d+/gu) ?? [];
  const joined = parts.join("");
  const forms = parts.length === 2 ? [joined, parts.join(" ")] : [joined];
  return forms.filter((form) => form !== number);
}

/**
 * Returns the number that a text cites: an NIH number without its type and year, which differ from year to year, or a
 * number without the blanks between groups of digits. Undefined for any other text.
 */
export function projectNumber(text: string): string | undefined {
  const [, , activity, institute, serial] = NIH.exec(text) ?? [];
  if (serial !== undefined) return `${activity}${institute}${serial}`;
  return GROUPED.test(text.trim()) ? text.replaceAll(/\D/g, "") : undefined;
}
