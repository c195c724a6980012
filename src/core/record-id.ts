/** Crockford's base 32: no i, l, o, u. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const FORM = /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/;

/** Random bytes that `makeRecordId` takes. */
export const RECORD_ID_BYTES = 5;

/**
 * An id of a record or of a parent: eight random characters and two check digits, `zv0gv-btp27`.
 * @param bytes RECORD_ID_BYTES random ones
 */
export function makeRecordId(bytes: Uint8Array): string {
  let n = 0;
  for (const byte of bytes.subarray(0, RECORD_ID_BYTES)) n = n * 256 + byte;
  let random = "";
  for (let rest = n, i = 0; i < 8; i++) {
    random = ALPHABET[rest % 32] + random;
    rest = Math.floor(rest / 32);
  }
  const id = random + checkDigits(n);
  return `${id.slice(0, 5)}-${id.slice(5)}`;
}

/** The id as it is stored, of an id in any case; undefined where the text is no id or its check digits are wrong. */
export function parseRecordId(text: string): string | undefined {
  const id = text.toLowerCase();
  if (!FORM.test(id)) return undefined;
  let n = 0;
  for (const letter of id.slice(0, 5) + id.slice(6, 9)) n = n * 32 + ALPHABET.indexOf(letter);
  return id.endsWith(checkDigits(n)) ? id : undefined;
}

/** MOD 97-10 (ISO 7064), as the Invenio family makes its ids. 100·n stays below 2^53. */
function checkDigits(n: number): string {
  return String(98 - ((100 * n) % 97)).padStart(2, "0");
}
