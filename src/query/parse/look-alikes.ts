/**
 * Signs that look like those of the syntax: typographic quotes, and the wide signs, digits and letters of East Asian
 * keyboards. Each stands for one character, so that a place in the plain text is the same place in the text as typed.
 */

/** Every double quote that people type or paste, as members of a character class. */
const QUOTES = '"“”„‟«»〝〞＂';

/** Each wide sign and the sign of the syntax. Brackets, stars and question marks are text in their wide form. */
const SIGN_PAIRS = "：: ﹕: ∶: ．. ，, ％% ＜< ﹤< ＞> ﹥> ＝= ﹦= ≦≤ ⩽≤ ≧≥ ⩾≥".split(" ");
const SIGNS = new Map(SIGN_PAIRS.map((pair) => [pair[0]!, pair[1]!]));
const WIDE = `${[...SIGNS.keys()].join("")}０-９Ａ-Ｚａ-ｚ`;

/** All of them, as members of a character class. Escaped, and in quotes, they are text. */
export const LOOK_ALIKES = QUOTES.slice(1) + WIDE;

const ESCAPED = String.raw`\\[\s\S]`;

/** What stays as it is (escaped characters, phrases), a phrase in other quotes, or a single sign. */
const PIECES = new RegExp(
  String.raw`${ESCAPED}|"(?:[^"\\]|${ESCAPED})*"|[${QUOTES}]((?:[^${QUOTES}\\]|${ESCAPED})*)[${QUOTES}]|([${WIDE}])`,
  "gu",
);

/** Returns the text, of the same length, with signs of the syntax in place of those that look like them. */
export function plainSigns(text: string): string {
  return text.replace(PIECES, (piece: string, phrase: string | undefined, sign: string | undefined) => {
    if (phrase !== undefined) return `"${phrase}"`;
    return sign === undefined ? piece : (SIGNS.get(sign) ?? sign.normalize("NFKC"));
  });
}
