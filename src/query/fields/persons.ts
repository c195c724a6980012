/** Persons in records, and their names in texts. */
import type { Leaf } from "../../core/catalog/types.js";
import { analyse } from "../text/analyse.js";

/** Paths of the given and the family name of a person in a record. */
export interface PersonPlace {
  readonly given: string;
  readonly family: string;
  /** Path of the list that contains the person, or "" if there is none. */
  readonly elementPath: string;
}

/** Returns the objects among some leaves that have a given and a family name. */
export function personPlaces(leaves: readonly Leaf[]): readonly PersonPlace[] {
  const paths = new Set(leaves.map(({ path }) => path));
  const places = leaves.flatMap(({ path, elementPath }) => {
    if (!path.endsWith(FAMILY)) return [];
    const given = path.slice(0, -FAMILY.length) + GIVEN;
    return paths.has(given) ? [[path, { given, family: path, elementPath }] as const] : [];
  });
  return [...new Map(places).values()];
}

const FAMILY = ".family_name";
const GIVEN = ".given_name";

/** A name divided into its parts. */
export interface PersonName {
  readonly given: readonly NamePart[];
  readonly family: readonly NamePart[];
  /** Parts of the words between the first and the last one, which may belong to either name. */
  readonly middle: readonly NamePart[];
}

/** A part of a name. */
export interface NamePart {
  readonly word: string;
  /** Letters of a part that may be initials: `Z.`, or `ZA`, which may also be a word. Empty for other parts. */
  readonly initials: readonly string[];
}

/** Maximum number of parts of a name. The parts of a double name (`Jean-Pierre`) count one by one. */
const PARTS_MAX = 8;

/** Maximum number of words of a name that has neither a comma nor an initial. Longer texts are titles. */
const PLAIN_WORDS_MAX = 4;

const NAME = /^[\p{L}\p{M}\s.,'\u2019\u02bc\u2010-\u2015-]+$/u;
const INITIALS = /^\p{Lu}{1,3}$/u;
/** Character of a script in which a single character may be a whole name. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Words that titles contain and names do not. `The` and `By` are names, except at the beginning. */
const TITLE_WORDS = /(?<![\p{L}\p{M}])(?:of|and|for|with|from)(?![\p{L}\p{M}])|^\s*(?:the|by)\s/iu;
const SMALL_TITLE_WORDS = [
  // As parts of names: `Mac an Bhaird`, `in 't Veld`, `in der Gand`.
  String.raw`an(?! \p{Lu})|in(?! ['\u2019]t | der )`,
  "a|as|at|by|is|its|on|or|the|to|via",
].join("|");
const SMALL_TITLE_WORD = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${SMALL_TITLE_WORDS})(?![\p{L}\p{M}])`, "u");

/** A word of a name: it has a capital, is in a script without capitals, or is short (`van`, `de`, `d'Alembert`). */
const NAME_WORD = /^\P{L}*(?:[\p{Lu}\p{Lt}\p{Lo}]|\p{Ll}{1,3}(?:$|['\u2019]))/u;

/** Returns whether each word of a text has the form of a word of a name, and none is a small word of titles. */
export function isWrittenAsName(text: string): boolean {
  if (SMALL_TITLE_WORD.test(text)) return false;
  const words = text.trim().split(/\s+/u);
  return /[\p{Lu}\p{Lt}\p{Lo}]/u.test(text) && words.every((word) => NAME_WORD.test(word));
}

/** Capitalises each word of a text that has no capital. */
export function writeAsName(text: string): string {
  return text.replace(/\S+/gu, (word) =>
    /\p{Lu}/u.test(word) ? word : word.replace(/\p{Ll}/u, (c) => c.toUpperCase()),
  );
}

/**
 * Returns the ways to divide a text into given and family name: only one if there is a comma between them, else one for
 * each order. Empty if the text is no name: it contains other characters, a word such as `of`, or too many words.
 */
export function readNames(text: string): readonly PersonName[] {
  if (!NAME.test(text) || TITLE_WORDS.test(text)) return [];
  const [first = [], second, ...more] = text.split(",").map(splitName);
  if (more.length > 0 || [...first, ...(second ?? [])].flat().length > PARTS_MAX) return [];
  const names =
    second === undefined ? inBothOrders(text, first) : [{ family: first.flat(), given: second.flat(), middle: [] }];
  return names.filter(({ given, family }) => given.length > 0 && family.some(isFamilyPart));
}

/** Returns the words and initials of a name, each with its parts. */
function splitName(text: string): readonly (readonly NamePart[])[] {
  return text.split(/[\s.]+/u).flatMap((piece) => {
    const words = analyse(piece);
    const isInitials = words.length === 1 && INITIALS.test(piece.replace(/^\P{L}+/u, ""));
    const parts = words.map((word) => ({ word, initials: isInitials || isLetter(word) ? [...word] : [] }));
    return parts.length === 0 ? [] : [parts];
  });
}

const isLetter = (word: string): boolean => [...word].length === 1 && !UNSPACED.test(word);

const isFamilyPart = ({ word }: NamePart): boolean => !isLetter(word);

function inBothOrders(text: string, pieces: readonly (readonly NamePart[])[]): readonly PersonName[] {
  const hasInitial = pieces.flat().some(({ word }) => isLetter(word));
  if (!hasInitial && text.trim().split(/\s+/u).length > PLAIN_WORDS_MAX) return [];
  // A single piece may be a name without a space between its parts (`王小明`).
  const [start = [], ...rest] = pieces.length === 1 ? pieces.flat().map((part) => [part]) : pieces;
  const end = rest.pop() ?? [];
  const middle = rest.flat();
  return [
    { given: start, family: end, middle },
    { given: end, family: start, middle },
  ];
}
