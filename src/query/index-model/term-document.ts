import { createHash } from "node:crypto";
import type { Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { projectNumberForms } from "../../core/identifiers.js";
import type { TermContent } from "../../core/term.js";
import { titleIn } from "../../core/terms/term-row.js";
import { ANALYSIS_VERSION, analyse } from "../text/analyse.js";
import type { LeafValue } from "./leaves.js";
import { termLeaves } from "./term-leaves.js";

/** Kind of a whole name: an identifier. */
export const IDENTIFIER_NAME = 0;
/** Kind of a whole name: a title. */
export const TITLE_NAME = 1;
/** Kind of a whole name: a synonym. */
export const SYNONYM_NAME = 2;

/** Maximum length of a whole name. A longer one is found by its words only, not by the steps for whole names. */
const NAME_LENGTH_MAX = 512;

/** Separator of the parts of a sort key. It is lower than every character of a title. */
const SEPARATOR = "\u0001";

/** Index entries of a term in the tables of a generation. */
export interface TermKeys {
  /** `[lang, key]` for each declared language. */
  readonly titles: readonly (readonly [string, string])[];
  /** `[key, kind]` */
  readonly names: readonly (readonly [string, number])[];
  /** `[path, value]` */
  readonly values: readonly (readonly [string, string | number])[];
  readonly text: TermText;
}

/** Returns the index entries of a term. */
export function termKeys(content: TermContent, vocabulary: Vocabulary): TermKeys {
  const leaves = termLeaves(content, vocabulary);
  return {
    titles: titleKeys(content, vocabulary),
    names: nameKeys(content, vocabulary, leaves),
    values: valueKeys(leaves, vocabulary),
    text: termText(leaves),
  };
}

/** Returns the sort key of a title, compared byte by byte: the analysed title, then the title, then the id. */
export function titleKey(content: Pick<TermContent, "id" | "title">, lang: string, vocabulary: Vocabulary): string {
  return joinTitleKey(titleIn(content.title, lang, vocabulary), content.id);
}

const joinTitleKey = (title: string, id: string): string =>
  analyse(title).join(" ") + SEPARATOR + title + SEPARATOR + id;

function titleKeys(content: TermContent, vocabulary: Vocabulary): [string, string][] {
  let [previousTitle, key]: (string | undefined)[] = [];
  return vocabulary.languages.map((lang) => {
    const title = titleIn(content.title, lang, vocabulary);
    // Many terms have one title, which is also used for the other languages.
    if (title !== previousTitle) [previousTitle, key] = [title, joinTitleKey(title, content.id)];
    return [lang, key!];
  });
}

/** Returns the key of a whole name in the steps for whole names. Undefined if it has no words or is too long. */
export function nameKey(words: readonly string[]): string | undefined {
  const key = words.join(" ");
  return key === "" || key.length > NAME_LENGTH_MAX ? undefined : key;
}

/** Returns `[key, kind]` of the whole names of a term, without duplicates. */
export function nameKeys(
  content: TermContent,
  vocabulary: Vocabulary,
  leaves: readonly LeafValue[] = termLeaves(content, vocabulary),
): [string, number][] {
  const names = new Map<string, [string, number]>();
  const add = (words: readonly string[], kind: number): void => {
    const key = nameKey(words);
    if (key !== undefined) names.set(`${kind}${key}`, [key, kind]);
  };
  add(analyse(localPart(content.id)), IDENTIFIER_NAME);
  for (const { path, words } of leaves) {
    if (isTitle(path)) add(words, TITLE_NAME);
    else if (path === "synonyms") add(words, SYNONYM_NAME);
  }
  for (const identifier of vocabulary.identifiers) {
    for (const value of scalarsAt(content, identifier)) {
      add(analyse(value), IDENTIFIER_NAME);
      add(analyse(localPart(value)), IDENTIFIER_NAME);
      if (vocabulary.leaves.get(`props.${identifier}`)?.kind !== "project_number") continue;
      for (const form of projectNumberForms(value)) add(analyse(form), IDENTIFIER_NAME);
    }
  }
  return [...names.values()];
}

/** Returns an identifier without its prefix, if it has one: `962` for `cid:962`. */
export function localPart(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

/** Returns all scalars below a prop as text. */
export function scalarsAt(content: Pick<TermContent, "props">, prop: string): string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) walk(inner);
    else if (value !== undefined && value !== null) texts.push(String(value));
  };
  walk(Object.hasOwn(content.props, prop) ? content.props[prop] : undefined);
  return texts;
}

/** Returns numbers, dates and facet keys with their paths. */
export function valueKeys(leaves: readonly LeafValue[], vocabulary: Vocabulary): [string, string | number][] {
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const values = new Map<string, [string, string | number]>();
  for (const { path, number, keyword } of leaves) {
    if (path === null) continue;
    const value = number ?? (facets.has(path) ? keyword : undefined);
    if (value !== undefined) values.set(`${path}${SEPARATOR}${typeof value}${value}`, [path, value]);
  }
  return [...values.values()];
}

// Tokens of the full-text tables of terms. Analysed words consist of letters and digits, so none has the signs below.
// The tokenizer includes every character outside ASCII in a token.

/** First sign of the token before a title, which finds titles by their first word. No phrase crosses this token. */
const START = "\uE000";

/** Token between two values, so that no phrase matches across values. */
const BREAK = "\uE001";

/** Returns whether a token is a word, without a special sign. */
export const isWord = (token: string): boolean => !token.startsWith(START) && !token.startsWith(BREAK);

/** Removes the tokens that are no words. @param tokens separated by blanks */
export const onlyWords = (tokens: string): string =>
  tokens.includes(START) || tokens.includes(BREAK) ? tokens.split(" ").filter(isWord).join(" ") : tokens;

/** Returns whether a token stands between two values. No phrase contains it. */
export const isBreak = (token: string): boolean => token === BREAK;

/** Returns the token before a title. */
export const startToken = (word: string): string => START + word;

/** Returns the token before each value of a path. It shows that the path has a value, and no phrase crosses it. */
export const existsToken = (path: string): string => `?${escapePath(path)}`;

/** Returns the token of a word in a value of a path. */
export const pathToken = (path: string, word: string): string => `${escapePath(path)}_${word}`;

/** Escapes ASCII capitals and signs of a path, because the tokenizer would fold or split them. */
function escapePath(path: string): string {
  if (/^[a-z0-9.]*$/.test(path)) return path;
  return path.replace(/[^a-z0-9.]/gu, (sign) => `%${sign.codePointAt(0)!.toString(16)}%`);
}

/** Returns whether a path is that of a title in any language. */
export function isTitle(path: string | null): boolean {
  return path === "title" || path?.startsWith("title.") === true;
}

/** Columns of a term in the full-text tables, as tokens separated by blanks. */
interface TermText {
  readonly title: string;
  readonly names: string;
  readonly rest: string;
  readonly paths: string;
}

function termText(leaves: readonly LeafValue[]): TermText {
  const title: string[] = [];
  const names: string[] = [];
  const rest: string[] = [];
  const paths: string[] = [];
  const prefixes = new Map<string, string>();
  for (const { path, words } of leaves) {
    if (path !== null) {
      paths.push(existsToken(path));
      const prefix = prefixes.get(path) ?? pathToken(path, "");
      prefixes.set(path, prefix);
      for (const word of words) paths.push(prefix + word);
    }
    if (words.length === 0) continue;
    const column = isTitle(path) ? title : path === "synonyms" ? names : rest;
    column.push(isTitle(path) ? startToken(words[0]!) : BREAK);
    addAll(column, words);
  }
  return { title: title.join(" "), names: names.join(" "), rest: rest.join(" "), paths: paths.join(" ") };
}

/**
 * Returns a hash of everything except the content of terms that the rows of terms depend on. If it differs from the
 * stored one, the rows must be rebuilt.
 */
export function termSignature(vocabulary: Vocabulary): string {
  const { languages, identifiers, prior, hierarchy } = vocabulary;
  const leaves = [...vocabulary.leaves.values()];
  const units = leaves.some(({ quantity }) => quantity !== undefined) ? [...vocabulary.units.units.values()] : [];
  const facets = vocabulary.facets.map((facet) => facet.path);
  const declared = JSON.stringify([ANALYSIS_VERSION, languages, identifiers, prior, hierarchy, leaves, units, facets]);
  return createHash("sha256").update(declared).digest("hex").slice(0, 16);
}
