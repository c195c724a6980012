/** Initials of given names, as styles of citations abbreviate them. */

interface Initial {
  /** `J.`; a name in a script without initials stays whole: `小明`. */
  readonly letter: string;
  /** Is it joined to the one before by a hyphen, as in `J.-P.`? */
  readonly isJoined: boolean;
}

/** The initials of a person, and what stands behind the name: `Jr.`, `III`. */
export interface Initials {
  readonly initials: readonly Initial[];
  readonly suffix?: string;
}

/** Hyphens and dashes, with and without a break. */
const HYPHENS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
/** A nickname in brackets or quotes has no initial. */
const NICKNAME = /\([^()]*\)|["“”„«][^"“”„«»]*["“”»]/g;
const SUFFIX = /(?:,\s*|\s)(Jr|Sr|II|III|IV|2nd|3rd)(\.?)$/;
/** A name, or an initial: what blanks, full stops and hyphens separate. */
const PART = /(-?)\s*([^\s.-]+)/gu;
/** Initials without full stops: `JRR`. */
const CAPITALS = /^\p{Lu}{2,3}$/u;
const SCRIPT_WITHOUT_INITIALS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns the initials of given names: of `John Ronald Reuel`, `J. R. R.`, `J.R.R.` and `JRR` the same three; of
 * `Jean-Pierre` and `J.-P.` two that a hyphen joins.
 *
 * @param familyName if it is in capitals, so are the given names, and `ANN` is a name
 */
export function initialsOf(givenName = "", familyName = ""): Initials {
  const plain = givenName.normalize("NFC").replaceAll(HYPHENS, "-").replaceAll(NICKNAME, " ").trim();
  const [behind, suffix, mark] = SUFFIX.exec(plain) ?? [];
  const given = behind === undefined ? plain : plain.slice(0, -behind.length);
  const hasCapitals = /\p{Ll}/u.test(familyName) && /^[\p{Lu}\s.-]{2,8}$/u.test(given);
  const initials = [...given.matchAll(PART)].flatMap(([, hyphen, name], i): readonly Initial[] => {
    const isJoined = hyphen === "-" && i > 0;
    if (hasCapitals && CAPITALS.test(name!)) {
      return [...name!].map((letter, at) => ({ letter: `${letter}.`, isJoined: isJoined && at === 0 }));
    }
    const letter = initialOf(name!);
    return letter === undefined ? [] : [{ letter, isJoined }];
  });
  return suffix === undefined ? { initials } : { initials, suffix: `${suffix}${mark}` };
}

/** The first letter of a name with its accents; undefined if it has no letter. */
function initialOf(name: string): string | undefined {
  if (SCRIPT_WITHOUT_INITIALS.test(name)) return name;
  for (const { segment } of graphemes.segment(name)) if (/\p{L}/u.test(segment)) return `${segment.toUpperCase()}.`;
  return undefined;
}
