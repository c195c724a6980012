import { mod11Radix2 } from "./check-digits.js";

/** What an ORCID iD begins with among other identifiers: its register (`orcid:0000-0002-1825-0097`), or its address. */
const SCHEME = /^\s*(?:orcid:|https?:\/\/(?:www\.)?orcid\.org\/)\s*/i;
const FORM = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/i;

/** What is wrong with an identifier that says to be an ORCID iD; undefined where nothing is, or where it is none. */
export function faultOfOrcid(identifier: string): "form" | "check digit" | undefined {
  const scheme = SCHEME.exec(identifier);
  if (scheme === null) return undefined;
  const id = identifier.slice(scheme[0].length).trim();
  if (!FORM.test(id)) return "form";
  return isOrcid(id) ? undefined : "check digit";
}

/** Is this an ORCID iD without its scheme, with the right check digit? */
export function isOrcid(id: string): boolean {
  const digits = id.replaceAll("-", "").toUpperCase();
  return FORM.test(id) && digits.endsWith(mod11Radix2(digits.slice(0, -1)));
}
