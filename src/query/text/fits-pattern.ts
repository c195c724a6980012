/** What a word is compared with: a pattern in which `*` stands for any characters and `?` for one (code points). */
export interface Pattern {
  /** The pattern itself. */
  readonly source: string;
  test(word: string): boolean;
}

/**
 * Compiles a pattern. A regular expression would take years for `a*a*a*a*b`: this one never looks back beyond the last
 * `*`, so it takes at most the product of both lengths.
 */
export function compilePattern(source: string): Pattern {
  const signs = [...source];
  return { source, test: (word) => fits(signs, [...word]) };
}

function fits(signs: readonly string[], characters: readonly string[]): boolean {
  let sign = 0;
  let at = 0;
  // Where the last `*` stands, and how far it reaches so far.
  let star = -1;
  let reach = 0;
  while (at < characters.length) {
    if (signs[sign] === "*") {
      star = sign;
      reach = at;
      sign += 1;
    } else if (sign < signs.length && (signs[sign] === "?" || signs[sign] === characters[at])) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      reach += 1;
      at = reach;
      sign = star + 1;
    } else {
      return false;
    }
  }
  while (signs[sign] === "*") sign += 1;
  return sign === signs.length;
}
