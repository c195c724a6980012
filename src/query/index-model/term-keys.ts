import type { Vocabulary } from "../../core/catalog/types.js";
import { numberForms } from "../../core/identifiers/project-numbers.js";
import type { TermContent } from "../../core/term.js";
import { titleIn } from "../../core/terms/term-row.js";
import { analyse } from "../text/analyse.js";
import type { LeafValue } from "./leaves.js";
import { termLeaves } from "./term-leaves.js";
import { isTitle, type TermText, termText } from "./term-tokens.js";

/** Kinds of whole names. */
export const IDENTIFIER = 0;
export const TITLE = 1;
export const SYNONYM = 2;

/** A whole name longer than this is found by its words only, not by the steps for whole names. */
const NAME_LENGTH_MAX = 512;

/** Below every character of a title: parts a sort key. */
const PART = "\u0001";

/** What the index tables of a generation take of an item. */
export interface TermKeys {
  /** `[lang, key]` for each declared language. */
  readonly titles: readonly (readonly [string, string])[];
  /** `[key, kind]` */
  readonly names: readonly (readonly [string, number])[];
  /** `[path, value]` */
  readonly values: readonly (readonly [string, string | number])[];
  readonly text: TermText;
}

export function termKeys(content: TermContent, vocabulary: Vocabulary): TermKeys {
  const leaves = termLeaves(content, vocabulary);
  return {
    titles: titleKeys(content, vocabulary),
    names: nameKeys(content, vocabulary, leaves),
    values: valueKeys(leaves, vocabulary),
    text: termText(leaves),
  };
}

/** What `title` order compares, byte by byte: the analysed title, then the title, then the id. */
export function titleKey(content: Pick<TermContent, "id" | "title">, lang: string, vocabulary: Vocabulary): string {
  return keyOf(titleIn(content.title, lang, vocabulary), content.id);
}

const keyOf = (title: string, id: string): string => analyse(title).join(" ") + PART + title + PART + id;

function titleKeys(content: TermContent, vocabulary: Vocabulary): [string, string][] {
  let [last, key]: (string | undefined)[] = [];
  return vocabulary.languages.map((lang) => {
    const title = titleIn(content.title, lang, vocabulary);
    // Many have one title, which stands for those in other languages.
    if (title !== last) [last, key] = [title, keyOf(title, content.id)];
    return [lang, key!];
  });
}

/** A whole name as the steps for whole names compare it; undefined where it has no words or too many. */
export function nameKey(words: readonly string[]): string | undefined {
  const key = words.join(" ");
  return key === "" || key.length > NAME_LENGTH_MAX ? undefined : key;
}

/** `[key, kind]` of the whole names of an item, each once. */
export function nameKeys(
  content: TermContent,
  vocabulary: Vocabulary,
  leaves: readonly LeafValue[] = termLeaves(content, vocabulary),
): [string, number][] {
  const found = new Map<string, [string, number]>();
  const add = (words: readonly string[], kind: number): void => {
    const key = nameKey(words);
    if (key !== undefined) found.set(`${kind}${key}`, [key, kind]);
  };
  add(analyse(localPart(content.id)), IDENTIFIER);
  for (const { path, words } of leaves) {
    if (isTitle(path)) add(words, TITLE);
    else if (path === "synonyms") add(words, SYNONYM);
  }
  for (const identifier of vocabulary.identifiers) {
    for (const value of scalarsAt(content, identifier)) {
      add(analyse(value), IDENTIFIER);
      add(analyse(localPart(value)), IDENTIFIER);
      if (vocabulary.leaves.get(`props.${identifier}`)?.kind !== "project_number") continue;
      for (const form of numberForms(value)) add(analyse(form), IDENTIFIER);
    }
  }
  return [...found.values()];
}

/** An identifier without its prefix: `962` of `cid:962`; all of it where it has none. */
export function localPart(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

/** All scalars below a prop, as text. */
export function scalarsAt(content: Pick<TermContent, "props">, prop: string): string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) walk(inner);
    else if (value !== undefined && value !== null) texts.push(String(value));
  };
  walk(Object.hasOwn(content.props, prop) ? content.props[prop] : undefined);
  return texts;
}

/** Numbers, dates and keys of facets, with their paths. */
export function valueKeys(leaves: readonly LeafValue[], vocabulary: Vocabulary): [string, string | number][] {
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const found = new Map<string, [string, string | number]>();
  for (const { path, number, keyword } of leaves) {
    if (path === null) continue;
    const value = number ?? (facets.has(path) ? keyword : undefined);
    if (value !== undefined) found.set(`${path}${PART}${typeof value}${value}`, [path, value]);
  }
  return [...found.values()];
}
