/** What an ORCID iD begins with among other identifiers: its register (`orcid:0000-0002-1825-0097`), or its address. */
const SCHEME = /^\s*(?:orcid:|https?:\/\/(?:www\.)?orcid\.org\/)\s*/i;
const FORM = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/i;

/** What is wrong with an identifier that says to be an ORCID iD; undefined where nothing is, or where it is none. */
export function faultOfOrcid(identifier: string): "form" | "check digit" | undefined {
  const scheme = SCHEME.exec(identifier);
  if (scheme === null) return undefined;
  const id = identifier.slice(scheme[0].length).trim();
  if (!FORM.test(id)) return "form";
  const digits = id.replaceAll("-", "").toUpperCase();
  return digits.endsWith(checkDigit(digits.slice(0, -1))) ? undefined : "check digit";
}

/** MOD 11-2 (ISO 7064), as ORCID iDs have it: of fifteen digits the sixteenth, `X` for 10. */
function checkDigit(digits: string): string {
  let sum = 0;
  for (const digit of digits) sum = (sum + Number(digit)) * 2;
  const check = (12 - (sum % 11)) % 11;
  return check === 10 ? "X" : String(check);
}
