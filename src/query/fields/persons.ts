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

/** A name divided into given and family name. */
export interface PersonName {
  readonly given: readonly NamePart[];
  readonly family: readonly NamePart[];
}

export interface NamePart {
  readonly word: string;
  /** Letters of a part that may be initials: `Z.`, or `ZA`, which may also be a word. Empty for other parts. */
  readonly initials: readonly string[];
}

/** Maximum number of words in a name. */
const PARTS_MAX = 6;

const NAME = /^[\p{L}\p{M}\s.,'\u2019\u02bc\u2010-\u2015-]+$/u;
const INITIALS = /^\p{Lu}{1,3}$/u;
/** Character of a script in which a single character may be a whole name. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A word of a name: it has a capital, is in a script without capitals, or is short (`van`, `de`, `d'Alembert`). */
const NAME_WORD = /^\P{L}*(?:[\p{Lu}\p{Lt}\p{Lo}]|\p{Ll}{1,3}(?:$|['\u2019]))/u;

/** Returns whether each word of a text has the form of a word of a name. */
export function isWrittenAsName(text: string): boolean {
  const words = text.trim().split(/\s+/u);
  return /[\p{Lu}\p{Lt}\p{Lo}]/u.test(text) && words.every((word) => NAME_WORD.test(word));
}

/** Capitalises each word of a text that has no capital. */
export function writeAsName(text: string): string {
  return text.replace(/\S+/gu, (word) =>
    /\p{Lu}/u.test(word) ? word : word.replace(/\p{Ll}/u, (c) => c.toUpperCase()),
  );
}

/** Returns the ways to divide a text into given and family name: only one if there is a comma between them. */
export function readNames(text: string): readonly PersonName[] {
  if (!NAME.test(text)) return [];
  const [first = [], second, ...more] = text.split(",").map(partsOf);
  if (more.length > 0) return [];
  const names = second === undefined ? splits(first) : [{ family: first, given: second }];
  return names.filter(({ given, family }) => given.length > 0 && family.some(isFamilyPart));
}

function partsOf(text: string): readonly NamePart[] {
  return text.split(/[\s.]+/u).flatMap((piece) => {
    const words = analyse(piece);
    const isInitials = words.length === 1 && INITIALS.test(piece.replace(/^\P{L}+/u, ""));
    return words.map((word) => ({ word, initials: isInitials || isLetter(word) ? [...word] : [] }));
  });
}

const isLetter = (word: string): boolean => [...word].length === 1 && !UNSPACED.test(word);

const isFamilyPart = ({ word }: NamePart): boolean => !isLetter(word);

function splits(parts: readonly NamePart[]): readonly PersonName[] {
  if (parts.length > PARTS_MAX) return [];
  return parts.slice(1).flatMap((_, i) => {
    const [before, after] = [parts.slice(0, i + 1), parts.slice(i + 1)];
    return [
      { given: before, family: after },
      { given: after, family: before },
    ];
  });
}
