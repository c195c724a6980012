/** Initials of given names for citation styles. */

interface Initial {
  /** `J.`, or the whole name in a script without initials: `小明`. */
  readonly letter: string;
  /** Whether a hyphen joins it to the previous initial, as in `J.-P.`. */
  readonly isJoined: boolean;
}

/** Initials of a person, and the suffix of the name: `Jr.`, `III`. */
interface Initials {
  readonly initials: readonly Initial[];
  readonly suffix?: string;
}

/** Hyphens and dashes, breaking and non-breaking. */
const HYPHENS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
/** Nickname in brackets or quotes. It is left out. */
const NICKNAME = /\([^()]*\)|["“”„«][^"“”„«»]*["“”»]/g;
const SUFFIX = /(?:,\s*|\s)(Jr|Sr|II|III|IV|2nd|3rd)(\.?)$/;
/** One name or initial, with the hyphen before it. Single blanks, full stops and hyphens separate them. */
const PART = /(-?) ?([^ .-]+)/gu;
/** Initials without full stops: `JRR`. */
const CAPITALS = /^\p{Lu}{2,3}$/u;
const SCRIPT_WITHOUT_INITIALS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns the initials of given names. `John Ronald Reuel`, `J. R. R.`, `J.R.R.` and `JRR` have the same three;
 * `Jean-Pierre` and `J.-P.` have two that a hyphen joins.
 *
 * @param familyName if it is in capitals, given names in capitals (`ANN`) are read as names, not as initials
 */
export function initialsOf(givenName = "", familyName = ""): Initials {
  const plain = givenName
    .normalize("NFC")
    .replaceAll(HYPHENS, "-")
    .replaceAll(NICKNAME, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
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

/** Returns the first letter of a name with its accents, or undefined if the name has no letter. */
function initialOf(name: string): string | undefined {
  if (SCRIPT_WITHOUT_INITIALS.test(name)) return name;
  for (const { segment } of graphemes.segment(name)) if (/\p{L}/u.test(segment)) return `${segment.toUpperCase()}.`;
  return undefined;
}
