/**
 * Characters that look like those of the syntax: typographic quotes, and the wide signs, digits and letters of East
 * Asian keyboards. Each is replaced by one character, so that positions in the text stay the same.
 */

/** Double quotes that people type or paste, for use in a character class. */
const QUOTES = '"“”„‟«»〝〞＂';

/** Pairs of a wide sign and its plain form. Wide brackets, stars and question marks are not syntax. */
const SIGN_PAIRS = "：: ﹕: ∶: ．. ，, ％% ＜< ﹤< ＞> ﹥> ＝= ﹦= ≦≤ ⩽≤ ≧≥ ⩾≥".split(" ");
const SIGNS = new Map(SIGN_PAIRS.map((pair) => [pair[0]!, pair[1]!]));
const WIDE = `${[...SIGNS.keys()].join("")}０-９Ａ-Ｚａ-ｚ`;

/** All look-alikes, for use in a character class. After a backslash and in quotes they are text. */
export const LOOK_ALIKES = QUOTES.slice(1) + WIDE;

const ESCAPED = String.raw`\\[\s\S]`;

/** Pieces that stay unchanged (escaped characters, phrases), and those to replace: other quotes and single signs. */
const PIECES = new RegExp(
  String.raw`${ESCAPED}|"(?:[^"\\]|${ESCAPED})*"|[${QUOTES}]((?:[^${QUOTES}\\]|${ESCAPED})*)[${QUOTES}]|([${WIDE}])`,
  "gu",
);

/** Replaces look-alikes by the characters of the syntax. The length of the text stays the same. */
export function plainSigns(text: string): string {
  return text.replace(PIECES, (piece: string, phrase: string | undefined, sign: string | undefined) => {
    if (phrase !== undefined) return `"${phrase}"`;
    return sign === undefined ? piece : (SIGNS.get(sign) ?? sign.normalize("NFKC"));
  });
}
