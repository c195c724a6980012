import { isBlank } from "../../core/blank.js";
import { orderTitles } from "../../core/catalog/merge-term.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import {
  LANGUAGE_TAG,
  type Synonym,
  TERM_SERVER_KEYS,
  type TermContent,
  type TermStatus,
  type Titles,
} from "../../core/term.js";
import { countWords } from "../../query/index-model/count-words.js";
import { termLeaves } from "../../query/index-model/term-leaves.js";
import { forbiddenInLine, nameOfForbidden, showable } from "../input/characters.js";
import { checkProp } from "./check-prop.js";
import { kindOf } from "./shown.js";

/** What a curator or an import may say of an item. */
const KEYS: readonly string[] = ["id", "title", "props", "synonyms", "parent", "status", "replaced_by", "confirmed"];

type TermVerdict =
  | { readonly content: TermContent; readonly reasons?: never }
  | { readonly reasons: readonly string[]; readonly content?: never };

/**
 * Checks an item of a vocabulary as it comes from a file or a client, and brings it into one form: props stand under
 * `props` (at the top level they are read too), titles by language in declared order, absent values left out. Equal
 * items become equal contents.
 *
 * @returns the content, or every reason why the item is refused
 */
export function checkTerm(vocabulary: Vocabulary, value: unknown): TermVerdict {
  if (!isObject(value)) return { reasons: [`a term must be an object, but this is ${kindOf(value)}`] };
  const reasons: string[] = [];
  checkKeys(vocabulary, value, reasons);
  const id = readId(vocabulary, own(value, "id"), "id", reasons);
  const title = readTitle(vocabulary, present(value, "title"), reasons);
  const props = readProps(vocabulary, value, reasons);
  const synonyms = readSynonyms(present(value, "synonyms"), reasons);
  const parent = readParent(vocabulary, value, id, reasons);
  const replacedBy = readTarget(vocabulary, value, "replaced_by", id, reasons);
  const status = readStatus(present(value, "status"), replacedBy, reasons);
  const isUnconfirmed = readConfirmed(present(value, "confirmed"), reasons) === false && status === "active";
  if (reasons.length > 0) return { reasons };
  const content: TermContent = {
    id,
    title,
    props,
    ...(synonyms.length === 0 ? {} : { synonyms }),
    ...(parent === undefined ? {} : { parent }),
    status,
    ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
    ...(isUnconfirmed ? { confirmed: false } : {}),
  };
  const tooLong = whyTooLarge(content) ?? whyTooLong(content, vocabulary);
  return tooLong === undefined ? { content } : { reasons: [tooLong] };
}

/** A term without words, or with long ones, still costs memory and pages by its size. */
function whyTooLarge(content: TermContent): string | undefined {
  // A byte of JSON holds no more than one UTF-16 unit, and a unit takes no more than six bytes (\u0007).
  const max = LIMITS.termBodyBytesMax;
  if (lengthOf(content) <= max / 6) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(content));
  return bytes <= max ? undefined : `the term has ${bytes} bytes; the maximum is ${max}`;
}

/** A term of very many words would hold the only writer for long. */
function whyTooLong(content: TermContent, vocabulary: Vocabulary): string | undefined {
  const max = LIMITS.termWordsMax;
  // No word is shorter than a letter: of a short text nothing has to be analysed.
  if (lengthOf(content) <= max) return undefined;
  const counts = new Map<string, number>();
  for (const { path, words } of termLeaves(content, vocabulary)) {
    const [part = ""] = path?.split(".") ?? ["props"];
    counts.set(part, (counts.get(part) ?? 0) + countWords(words));
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all <= max) return undefined;
  const [[longest, most]] = [...counts].sort(([, a], [, b]) => b - a) as [[string, number]];
  return `"${longest}" has ${most} of the ${all} words of this term; the maximum is ${max} words in all`;
}

/** Letters of what people wrote. */
function lengthOf({ title, synonyms = [], props }: TermContent): number {
  let sum = 0;
  for (const lang of Object.keys(title)) sum += title[lang]!.length;
  for (const { name } of synonyms) sum += name.length;
  for (const name of Object.keys(props)) {
    const value = props[name]!;
    sum += typeof value === "string" ? value.length : JSON.stringify(value).length;
  }
  return sum;
}

/** An own value that is not null: YAML writes nothing as null. */
function present(object: JsonObject, key: string): Json | undefined {
  return own(object, key) ?? undefined;
}

function checkKeys(vocabulary: Vocabulary, value: JsonObject, reasons: string[]): void {
  for (const key of Object.keys(value)) {
    if (KEYS.includes(key) || TERM_SERVER_KEYS.includes(key) || isProp(vocabulary, key)) continue;
    const [near] = nearestNames(key, [...KEYS, ...vocabulary.props.map((prop) => prop.name)], 1);
    reasons.push(`unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
}

const isProp = ({ props }: Vocabulary, name: string): boolean => props.some((prop) => prop.name === name);

function readId(vocabulary: Vocabulary, id: Json | undefined, what: string, reasons: string[]): string {
  if (typeof id !== "string" || id === "") {
    reasons.push(`"${what}" must be text, but it is ${id === "" ? "empty" : kindOf(id)}`);
    return "";
  }
  if (id.length > LIMITS.termIdLengthMax) reasons.push(`"${what}" has more than ${LIMITS.termIdLengthMax} characters`);
  else if (!hasIdForm(vocabulary, id) || forbiddenInLine(id) !== undefined) {
    reasons.push(`the ${what} "${showable(id)}" does not have the form ${vocabulary.idPattern}`);
  }
  return id;
}

function readTitle(vocabulary: Vocabulary, title: Json | undefined, reasons: string[]): Titles {
  const first = vocabulary.languages[0]!;
  const titles = typeof title === "string" ? { [first]: title } : title;
  if (!isObject(titles)) {
    reasons.push(`"title" must be text, or an object with text by language, but it is ${kindOf(title)}`);
    return {};
  }
  const found = new Map<string, string>();
  for (const [tag, text] of Object.entries(titles)) {
    if (!LANGUAGE_TAG.test(tag)) reasons.push(`"${showable(tag)}" in "title" is not a language tag`);
    else if (text === null) continue;
    else if (isText(text) && text.length <= LIMITS.termTitleLengthMax) found.set(tag, text);
    else reasons.push(`"title.${tag}" ${whyNoText(text)}`);
  }
  if (found.size === 0 && reasons.length === 0) reasons.push(`"title" must have a text in at least one language`);
  return orderTitles(Object.fromEntries(found), vocabulary.languages);
}

function readProps(vocabulary: Vocabulary, value: JsonObject, reasons: string[]): JsonObject {
  const props = present(value, "props") ?? {};
  if (!isObject(props)) {
    reasons.push(`"props" must be an object, but it is ${kindOf(props)}`);
    return {};
  }
  for (const name of Object.keys(props)) {
    if (isProp(vocabulary, name)) continue;
    const [near] = nearestNames(
      name,
      vocabulary.props.map((prop) => prop.name),
      1,
    );
    reasons.push(`unknown key "props.${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
  const read: Record<string, Json> = {};
  for (const prop of vocabulary.props) {
    const inside = present(props, prop.name);
    const outside = present(value, prop.name);
    if (inside !== undefined && outside !== undefined) {
      reasons.push(`"${prop.name}" is both inside and outside of "props"; send it once`);
    }
    const found = inside ?? outside;
    const checked = found === undefined ? undefined : checkProp(prop, found, reasons);
    if (checked !== undefined) read[prop.name] = checked;
  }
  return read;
}

function readSynonyms(synonyms: Json | undefined, reasons: string[]): readonly Synonym[] {
  if (synonyms === undefined) return [];
  if (!Array.isArray(synonyms)) {
    reasons.push(`"synonyms" must be a list, but it is ${kindOf(synonyms)}`);
    return [];
  }
  return synonyms.flatMap((each: Json, i) => readSynonym(each, i, reasons) ?? []);
}

function readSynonym(synonym: Json, i: number, reasons: string[]): Synonym | undefined {
  const object: Json = typeof synonym === "string" ? { name: synonym } : synonym;
  if (!isObject(object)) {
    reasons.push(`"synonyms.${i}" must be text or an object, but it is ${kindOf(object)}`);
    return undefined;
  }
  for (const key of Object.keys(object)) {
    if (!["name", "kind", "lang"].includes(key)) reasons.push(`unknown key "synonyms.${i}.${key}"`);
  }
  const name = present(object, "name");
  const kind = present(object, "kind") ?? "synonym";
  const lang = present(object, "lang");
  if (!isText(name)) reasons.push(`"synonyms.${i}.name" ${whyNoText(name)}`);
  if (!isText(kind)) reasons.push(`"synonyms.${i}.kind" ${whyNoText(kind)}`);
  if (lang !== undefined && !(isText(lang) && LANGUAGE_TAG.test(lang))) {
    reasons.push(`"synonyms.${i}.lang" must be a language tag`);
  }
  if (!isText(name) || !isText(kind)) return undefined;
  return { name, kind, ...(isText(lang) ? { lang } : {}) };
}

function readParent(vocabulary: Vocabulary, value: JsonObject, id: string, reasons: string[]): string | undefined {
  if (vocabulary.hierarchy) return readTarget(vocabulary, value, "parent", id, reasons);
  if (present(value, "parent") !== undefined) reasons.push(`"parent" is not allowed: this vocabulary has no hierarchy`);
  return undefined;
}

/** The id of another item: `"x"`, or `{"id": "x", ...}` as the service writes it. */
function readTarget(
  vocabulary: Vocabulary,
  value: JsonObject,
  key: "parent" | "replaced_by",
  id: string,
  reasons: string[],
): string | undefined {
  const target = present(value, key);
  if (target === undefined) return undefined;
  const found = readId(vocabulary, isObject(target) ? own(target, "id") : target, key, reasons);
  if (found !== "" && found === id) reasons.push(`"${key}" must not be the id of the term itself`);
  return found;
}

function readStatus(status: Json | undefined, replacedBy: string | undefined, reasons: string[]): TermStatus {
  if (status === undefined) return replacedBy === undefined ? "active" : "deprecated";
  if (status !== "active" && status !== "deprecated") {
    reasons.push(`"status" must be active or deprecated`);
    return "active";
  }
  if (status === "active" && replacedBy !== undefined) reasons.push(`an active term cannot have "replaced_by"`);
  return status;
}

function readConfirmed(confirmed: Json | undefined, reasons: string[]): boolean | undefined {
  if (confirmed === undefined || typeof confirmed === "boolean") return confirmed;
  reasons.push(`"confirmed" must be true or false, but it is ${kindOf(confirmed)}`);
  return undefined;
}

function whyNoText(value: Json | undefined): string {
  if (typeof value !== "string") return `must be text, but it is ${kindOf(value)}`;
  const forbidden = forbiddenInLine(value);
  if (forbidden !== undefined) return `contains ${nameOfForbidden(forbidden)}; it must be one line without tabs`;
  return isBlank(value) ? "must be text, but it is empty" : `has more than ${LIMITS.termTitleLengthMax} characters`;
}

/** Is this a title or a name: one line that shows something? */
function isText(value: Json | undefined): value is string {
  return typeof value === "string" && !isBlank(value) && forbiddenInLine(value) === undefined;
}
