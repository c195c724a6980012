/**
 * Tokens of the index of records: those of `record-document`, for paths that may have no number, and tokens for values
 * that the other engine keeps as doc values. `p` is the result of `PathNumbers.tokenOf` for a path.
 */
import { citesToken, titleToken as wholeTitle } from "../../../query/index-model/record-document.js";

export { wholeToken } from "../../../query/index-model/record-document.js";

/** Returns the token for a path that has a value. */
export const existsToken = (p: string): string => `?${p}`;

/** Returns the token for an element of the array of objects at a path. */
export const elementToken = (p: string): string => `@${p}`;

/** Returns the token for a word in a value of a path. */
export const wordToken = (p: string, word: string): string => `_${p}_${word}`;

interface CitedTermId {
  readonly vocabulary: string;
  readonly id: string;
}

/** Returns the token for a citation of a term, anywhere or at a site. */
export const citedToken = ({ vocabulary, id }: CitedTermId, site = ""): string =>
  `~${site}${citesToken(vocabulary, id)}`;

/** Returns the token for a citation of a descendant of a term, anywhere or at a site. */
export const belowToken = ({ vocabulary, id }: CitedTermId, site = ""): string =>
  `^${site}${citesToken(vocabulary, id)}`;

/** Returns all tokens of a citation. @param above ancestors of the cited term */
export function citesTokens(cited: CitedTermId, site: string, above: readonly string[]): readonly string[] {
  const { vocabulary } = cited;
  return [
    citedToken(cited),
    citedToken(cited, site),
    ...above.flatMap((id) => [belowToken({ vocabulary, id }), belowToken({ vocabulary, id }, site)]),
  ];
}

/**
 * Maximum length of a token of a whole text in UTF-16 units: Lucene accepts 32,766 bytes of UTF-8, and queries are
 * shorter.
 */
const WHOLE_LENGTH_MAX = 10_000;

/** Cuts off a longer text. Its prefix compares with all queries like the whole text. */
function cut(text: string): string {
  if (text.length <= WHOLE_LENGTH_MAX) return text;
  return text.slice(0, WHOLE_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/u, "");
}

/** Returns the token for a whole title. */
export const titleToken = (words: readonly string[]): string => cut(wholeTitle(words));

/** Separates a path from a value; no path contains it. */
const VALUE_SEPARATOR = "\u0001";

/** Returns the token of a folded keyword at a path. Tokens sort like UTF-8. */
export const keywordToken = (p: string, folded: string): string => p + VALUE_SEPARATOR + cut(folded).toWellFormed();

/** Returns the range of tokens of all keywords at a path. */
export const keywordTokenRange = (p: string): TokenRange => ({ gte: p + VALUE_SEPARATOR, lt: p + NUMBER_SEPARATOR });

/** A range of tokens. */
export interface TokenRange {
  readonly gte: string;
  readonly lt: string;
}

/** Separates a path from a number; the next character after `BEFORE_VALUE`. */
const NUMBER_SEPARATOR = "\u0002";

/** Returns the range of tokens of all numbers at a path without a field. */
export const numberTokenRange = (p: string): TokenRange => ({ gte: p + NUMBER_SEPARATOR, lt: `${p}\u0003` });

const SIGN = 1n << 63n;

/** Returns the token of a number at a path without a field: sixteen digits that sort like the numbers. */
export function numberToken(p: string, number: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  // Removes the sign of zero.
  bits.setFloat64(0, number + 0);
  const raw = bits.getBigUint64(0);
  const sortable = raw & SIGN ? ~raw & 0xffff_ffff_ffff_ffffn : raw | SIGN;
  return p + NUMBER_SEPARATOR + sortable.toString(16).padStart(16, "0");
}
