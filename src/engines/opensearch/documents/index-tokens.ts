/**
 * The tokens of the index of records: those of `record-tokens`, where a path need not have a number, and those for
 * what has no tokens in an index with doc values of its own. `p` is what `PathNumbers.tokenOf` says of a path.
 */
import { citesToken, titleToken as wholeTitle } from "../../../query/index-model/record-tokens.js";

export { wholeToken } from "../../../query/index-model/record-tokens.js";

/** A path has a value. */
export const existsToken = (p: string): string => `?${p}`;

/** An element of the array of objects at a path. */
export const elementToken = (p: string): string => `@${p}`;

/** A word in a value of a path. */
export const wordToken = (p: string, word: string): string => `_${p}_${word}`;

interface Cited {
  readonly vocabulary: string;
  readonly id: string;
}

/** Cites the term, anywhere or at a site. */
export const citedAt = ({ vocabulary, id }: Cited, site = ""): string => `~${site}${citesToken(vocabulary, id)}`;

/** Cites a term that lies below this one, anywhere or at a site. */
export const belowAt = ({ vocabulary, id }: Cited, site = ""): string => `^${site}${citesToken(vocabulary, id)}`;

/** All that is said of a citation. @param above what stands above the cited item */
export function citesTokens(cited: Cited, site: string, above: readonly string[]): readonly string[] {
  const { vocabulary } = cited;
  return [
    ...[citedAt(cited), citedAt(cited, site)],
    ...above.flatMap((id) => [belowAt({ vocabulary, id }), belowAt({ vocabulary, id }, site)]),
  ];
}

/** Longest token of a whole text, in UTF-16 units: Lucene takes 32,766 bytes of UTF-8, and a query has fewer. */
const WHOLE_LENGTH_MAX = 10_000;

/** What a longer text begins with compares with all that is asked for as the text itself does. */
function cut(text: string): string {
  if (text.length <= WHOLE_LENGTH_MAX) return text;
  return text.slice(0, WHOLE_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/u, "");
}

/** A whole title by its words in order. */
export const titleToken = (words: readonly string[]): string => cut(wholeTitle(words));

/** Stands between a path and a value, or two ids; no path and no id has it. */
const BEFORE_VALUE = "\u0001";

/** A folded keyword at a path: they compare as UTF-8 does. */
export const keywordValue = (p: string, folded: string): string => p + BEFORE_VALUE + cut(folded).toWellFormed();

/** Between which tokens all keywords at a path lie. */
export const keywordsAt = (p: string): TokenRange => ({ gte: p + BEFORE_VALUE, lt: p + BEFORE_NUMBER });

interface TokenRange {
  readonly gte: string;
  readonly lt: string;
}

/** A bucket of a tree with the item above it: whoever lists buckets has to know where they stand. */
export const treeKey = (id: string, parent: string | undefined): string => `${id}${BEFORE_VALUE}${parent ?? ""}`;

/** What `treeKey` was given. */
export function readTreeKey(key: string): { readonly id: string; readonly parent: string | undefined } {
  const [id = "", parent = ""] = key.split(BEFORE_VALUE);
  return { id, parent: parent === "" ? undefined : parent };
}

/** As `BEFORE_VALUE`, the next character. */
const BEFORE_NUMBER = "\u0002";

/** Between which tokens all numbers at a path lie that have no field. */
export const numbersAt = (p: string): TokenRange => ({ gte: p + BEFORE_NUMBER, lt: `${p}\u0003` });

const SIGN = 1n << 63n;

/** A number at a path that has no field for numbers: sixteen digits that compare as the numbers do. */
export function numberValue(p: string, number: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  // Zero has one sign.
  bits.setFloat64(0, number + 0);
  const raw = bits.getBigUint64(0);
  const sortable = raw & SIGN ? ~raw & 0xffff_ffff_ffff_ffffn : raw | SIGN;
  return p + BEFORE_NUMBER + sortable.toString(16).padStart(16, "0");
}
