/** Comparison of an unknown id with the ids and names of a vocabulary. Engines look up the terms. */
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import { countEdits } from "../../core/nearest.js";
import { localPart, nameKey } from "../index-model/term-document.js";
import { analyse } from "../text/analyse.js";

/** Number of ids to compare on each side of the unknown one in sorted order. They have a similar beginning. */
export const NEIGHBOURS = 20;

/** Maximum number of edits for a near id. An id with more edits is near only if it has the same beginning. */
const EDITS_MAX = 2;

/** Minimum length of a text with digits to be read as a misspelt id. A shorter one (`T200`) is part of a name. */
const MISTAKEN_ID_LENGTH_MIN = 5;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789-_:./"];

type IdForm = Pick<Vocabulary, "idPrefixes" | "idPattern">;

/** Returns the id as written and, if it has no prefix, with those of the vocabulary. Empty if it cannot be an id. */
export function idSpellings(id: string, vocabulary: IdForm): readonly string[] {
  const { idPrefixes } = vocabulary;
  if (id.length > LIMITS.termIdLengthMax || localPart(id).length > LIMITS.nearestIdLengthMax) return [];
  if (!mayBeId(id, vocabulary)) return [];
  return id.includes(":") || idPrefixes.length === 0 ? [id] : [id, ...idPrefixes.map((prefix) => `${prefix}:${id}`)];
}

/** Returns whether the text has the form of an id, perhaps misspelt. False for words, with or without a prefix. */
function mayBeId(text: string, vocabulary: IdForm): boolean {
  if (/\s/u.test(text)) return false;
  if (matchesPattern(text, vocabulary)) return true;
  const local = localPart(text);
  if (!hasPrefix(text, vocabulary.idPrefixes)) return /\d/u.test(local) && local.length >= MISTAKEN_ID_LENGTH_MIN;
  return /\d/u.test(local) || !/\p{Ll}/u.test(local);
}

/** Returns whether the text matches the pattern of ids in some case, with or without a prefix of the vocabulary. */
function matchesPattern(text: string, vocabulary: IdForm): boolean {
  const prefixes = ["", ...vocabulary.idPrefixes.map((prefix) => `${prefix}:`)];
  const cases = [text, text.toLowerCase(), text.toUpperCase()];
  return prefixes.some((prefix) => cases.some((each) => hasIdForm(vocabulary, prefix + each)));
}

/** Words that match the `id_pattern` of a vocabulary whose ids are made of words: there, a name may look like an id. */
const WORDS = ["word", "two-words"];

/** Returns whether a text without blanks is in the form of an id and has digits or hyphens, which few names have. */
export function isWrittenAsId(text: string, vocabulary: IdForm): boolean {
  if (!/[\d-]/.test(localPart(text)) || WORDS.some((word) => matchesPattern(word, vocabulary))) return false;
  return matchesPattern(text, vocabulary);
}

/** Returns whether a known id is within the edits that a misspelt id may have. */
export function isFewEditsAway(unknown: string, known: string, vocabulary: IdForm): boolean {
  return idSpellings(unknown, vocabulary).some((id) => (idDistance(id, known) ?? EDITS_MAX + 1) <= EDITS_MAX);
}

function hasPrefix(text: string, idPrefixes: readonly string[]): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && idPrefixes.includes(text.slice(0, colon).toLowerCase());
}

/**
 * Returns the texts in an unknown id that may be a name: the whole text, and the part after a prefix. A prefix of the
 * vocabulary is never part of a name.
 */
export function namesIn(id: string, { idPrefixes }: Pick<Vocabulary, "idPrefixes">): readonly string[] {
  return [...new Set(hasPrefix(id, idPrefixes) ? [localPart(id)] : [id, localPart(id)])];
}

/** Returns the keys (`nameKey`) of the names that an unknown id may be. */
export function nameKeysIn(id: string, vocabulary: Pick<Vocabulary, "idPrefixes">): readonly string[] {
  return namesIn(id, vocabulary).flatMap((name) => nameKey(analyse(name)) ?? []);
}

/**
 * Returns whether an id may be (part of) a name, perhaps misspelt. After a prefix, only words and blanks count. A text
 * with digits or hyphens in the form of an id is not a name: this saves a search by name.
 */
export function mayBeName(id: string, vocabulary: IdForm): boolean {
  const { idPrefixes } = vocabulary;
  const local = localPart(id);
  if (isWrittenAsId(id, vocabulary)) return false;
  if (/\s/u.test(local.trim()) || !hasPrefix(id, idPrefixes)) return /\p{L}/u.test(id);
  return /\p{L}{3}/u.test(local) && !/\p{L}\p{N}|\p{N}\p{L}/u.test(local);
}

/** Yields, position by position, the ids that one edit after the prefix makes of an id. The id is in lower case. */
export function* idsOneEditAway(id: string): Generator<readonly string[]> {
  for (let at = id.length - localPart(id).length; at <= id.length; at++) {
    const head = id.slice(0, at);
    const tail = id.slice(at);
    const edited = LETTERS.flatMap((letter) => [head + letter + tail, head + letter + tail.slice(1)]);
    edited.push(head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2));
    yield edited;
  }
}

/** Returns the distance between two ids, 0 if only their case differs; undefined if they are not near. */
export function idDistance(unknown: string, known: string): number | undefined {
  const a = unknown.toLowerCase();
  const b = known.toLowerCase();
  const edits = Math.abs(a.length - b.length) > EDITS_MAX ? EDITS_MAX + 1 : countEdits(a, b);
  if (edits <= EDITS_MAX) return edits;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const local = shared - (a.length - localPart(a).length);
  if (local < 1) return undefined;
  return EDITS_MAX + a.length + b.length - 2 * shared;
}
