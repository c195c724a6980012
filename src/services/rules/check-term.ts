import { orderTitles } from "../../core/catalog/patch-term.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Prop, Vocabulary } from "../../core/catalog/types.js";
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
import { countWords } from "../../query/index-model/leaves.js";
import { termLeaves } from "../../query/index-model/term-leaves.js";
import { forbiddenIn, forbiddenInLine, isBlank, nameOfForbidden, replaceForbidden } from "../input/characters.js";
import { typeInWords } from "../input/issues.js";

/** Keys that a curator or an import may set. */
const KEYS: readonly string[] = ["id", "title", "props", "synonyms", "parent", "status", "replaced_by", "confirmed"];

type TermVerdict =
  | { readonly content: TermContent; readonly reasons?: never }
  | { readonly reasons: readonly string[]; readonly content?: never };

/**
 * Checks a term from a file or a client, and normalizes it: props are under `props` (those at the top level are moved
 * there), titles by language in declared order, absent values are left out. Equal terms have equal contents.
 *
 * @returns the content, or all reasons why the term is refused
 */
export function checkTerm(vocabulary: Vocabulary, value: unknown): TermVerdict {
  if (!isObject(value)) return { reasons: [`a term must be an object, but this is ${typeInWords(value)}`] };
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

/** Returns why a term is too large. A term with few words can still take much memory and disk space. */
function whyTooLarge(content: TermContent): string | undefined {
  // In JSON a UTF-16 unit takes at most six bytes (\u0007), so most terms need not be measured.
  const max = LIMITS.termBodyBytesMax;
  if (termTextLength(content) <= max / 6) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(content));
  return bytes <= max ? undefined : `the term has ${bytes} bytes; the maximum is ${max}`;
}

/** Returns why a term has too many words. Such a term would block the only writer for long. */
function whyTooLong(content: TermContent, vocabulary: Vocabulary): string | undefined {
  const max = LIMITS.termWordsMax;
  // A word has at least one letter, so a short text need not be analysed.
  if (termTextLength(content) <= max) return undefined;
  const counts = new Map<string, number>();
  for (const { path, words } of termLeaves(content, vocabulary)) {
    const [part = ""] = path?.split(".") ?? ["props"];
    counts.set(part, (counts.get(part) ?? 0) + countWords(words));
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total <= max) return undefined;
  const [[longest, most]] = [...counts].sort(([, a], [, b]) => b - a) as [[string, number]];
  return `"${longest}" has ${most} of the ${total} words of this term; the maximum is ${max} words in all`;
}

/** Returns the number of UTF-16 units in the texts of a term. */
function termTextLength({ title, synonyms = [], props }: TermContent): number {
  let sum = 0;
  for (const lang of Object.keys(title)) sum += title[lang]!.length;
  for (const { name } of synonyms) sum += name.length;
  for (const name of Object.keys(props)) {
    const value = props[name]!;
    sum += typeof value === "string" ? value.length : JSON.stringify(value).length;
  }
  return sum;
}

/** Returns an own value, or undefined for null: YAML reads an empty value as null. */
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
    reasons.push(`"${what}" must be text, but it is ${id === "" ? "empty" : typeInWords(id)}`);
    return "";
  }
  if (id.length > LIMITS.termIdLengthMax) reasons.push(`"${what}" has more than ${LIMITS.termIdLengthMax} characters`);
  else if (!hasIdForm(vocabulary, id) || forbiddenInLine(id) !== undefined) {
    reasons.push(`the ${what} "${replaceForbidden(id)}" does not have the form ${vocabulary.idPattern}`);
  }
  return id;
}

function readTitle(vocabulary: Vocabulary, title: Json | undefined, reasons: string[]): Titles {
  const first = vocabulary.languages[0]!;
  const titles = typeof title === "string" ? { [first]: title } : title;
  if (!isObject(titles)) {
    reasons.push(`"title" must be text, or an object with text by language, but it is ${typeInWords(title)}`);
    return {};
  }
  const texts = new Map<string, string>();
  for (const [tag, text] of Object.entries(titles)) {
    if (!LANGUAGE_TAG.test(tag)) reasons.push(`"${replaceForbidden(tag)}" in "title" is not a language tag`);
    else if (text === null) continue;
    else if (isText(text) && text.length <= LIMITS.termTitleLengthMax) texts.set(tag, text);
    else reasons.push(`"title.${tag}" ${whyNoText(text)}`);
  }
  if (texts.size === 0 && reasons.length === 0) reasons.push(`"title" must have a text in at least one language`);
  return orderTitles(Object.fromEntries(texts), vocabulary.languages);
}

function readProps(vocabulary: Vocabulary, value: JsonObject, reasons: string[]): JsonObject {
  const props = present(value, "props") ?? {};
  if (!isObject(props)) {
    reasons.push(`"props" must be an object, but it is ${typeInWords(props)}`);
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
  const checkedProps: Record<string, Json> = {};
  for (const prop of vocabulary.props) {
    const inside = present(props, prop.name);
    const outside = present(value, prop.name);
    if (inside !== undefined && outside !== undefined) {
      reasons.push(`"${prop.name}" is both inside and outside of "props"; send it once`);
    }
    const sent = inside ?? outside;
    const checked = sent === undefined ? undefined : checkProp(prop, sent, reasons);
    if (checked !== undefined) checkedProps[prop.name] = checked;
  }
  return checkedProps;
}

function readSynonyms(synonyms: Json | undefined, reasons: string[]): readonly Synonym[] {
  if (synonyms === undefined) return [];
  if (!Array.isArray(synonyms)) {
    reasons.push(`"synonyms" must be a list, but it is ${typeInWords(synonyms)}`);
    return [];
  }
  return synonyms.flatMap((each: Json, i) => readSynonym(each, i, reasons) ?? []);
}

function readSynonym(synonym: Json, i: number, reasons: string[]): Synonym | undefined {
  const object: Json = typeof synonym === "string" ? { name: synonym } : synonym;
  if (!isObject(object)) {
    reasons.push(`"synonyms.${i}" must be text or an object, but it is ${typeInWords(object)}`);
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

/** Reads the id of another term: `"x"`, or `{"id": "x", ...}` as the service writes it. */
function readTarget(
  vocabulary: Vocabulary,
  value: JsonObject,
  key: "parent" | "replaced_by",
  id: string,
  reasons: string[],
): string | undefined {
  const target = present(value, key);
  if (target === undefined) return undefined;
  const targetId = readId(vocabulary, isObject(target) ? own(target, "id") : target, key, reasons);
  if (targetId !== "" && targetId === id) reasons.push(`"${key}" must not be the id of the term itself`);
  return targetId;
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
  reasons.push(`"confirmed" must be true or false, but it is ${typeInWords(confirmed)}`);
  return undefined;
}

function whyNoText(value: Json | undefined): string {
  if (typeof value !== "string") return `must be text, but it is ${typeInWords(value)}`;
  const forbidden = forbiddenInLine(value);
  if (forbidden !== undefined) return `contains ${nameOfForbidden(forbidden)}; it must be one line without tabs`;
  return isBlank(value) ? "must be text, but it is empty" : `has more than ${LIMITS.termTitleLengthMax} characters`;
}

/** Returns whether a value is a valid title or name: one line that is not blank. */
function isText(value: Json | undefined): value is string {
  return typeof value === "string" && !isBlank(value) && forbiddenInLine(value) === undefined;
}

/**
 * Checks the value of a prop against its declared type.
 *
 * @returns the value to store, without empty values and in declared order; undefined if nothing is left
 */
function checkProp(prop: Prop, value: Json, reasons: string[]): Json | undefined {
  const refuse = (means: string): undefined => {
    const forbidden = forbiddenAnywhere(value);
    if (forbidden !== undefined) {
      reasons.push(`"${prop.name}" contains ${nameOfForbidden(forbidden)}, which is not allowed`);
      return undefined;
    }
    const hint = prop.type === "text" && typeof value === "number" ? "; put it in quotes" : "";
    reasons.push(`"${prop.name}" must be ${means}, but it is ${typeInWords(value)}${hint}`);
    return undefined;
  };
  switch (prop.type) {
    case "text":
      return isStorable(value) ? value || undefined : refuse("text");
    case "number":
      return isNumber(value) ? value : refuse("a number");
    case "boolean":
      return typeof value === "boolean" ? value : refuse("true or false");
    case "list":
      if (!Array.isArray(value) || !value.every((item) => isStorable(item) || isNumber(item))) {
        return refuse("a list of texts or numbers");
      }
      return value.length === 0 ? undefined : value;
    case "object":
      return checkObject(prop, value, reasons);
  }
}

function checkObject(prop: Prop, value: Json, reasons: string[]): Json | undefined {
  if (!isObject(value)) {
    reasons.push(`"${prop.name}" must be an object, but it is ${typeInWords(value)}`);
    return undefined;
  }
  const declared = prop.properties ?? [];
  for (const key of Object.keys(value)) {
    if (!declared.some(({ name }) => name === key)) reasons.push(`unknown key "${prop.name}.${key}"`);
  }
  const entries = declared.flatMap(({ name, type }) => {
    const inner = own(value, name) ?? undefined;
    if (inner === undefined) return [];
    const fits = type === "number" ? isNumber(inner) : isStorable(inner);
    const forbidden = fits ? undefined : forbiddenAnywhere(inner);
    if (forbidden !== undefined) {
      reasons.push(`"${prop.name}.${name}" contains ${nameOfForbidden(forbidden)}, which is not allowed`);
    } else if (!fits)
      reasons.push(
        `"${prop.name}.${name}" must be ${type === "number" ? "a number" : "text"}, but it is ${typeInWords(inner)}`,
      );
    return [[name, inner] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isNumber(value: Json): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isStorable(value: Json): value is string {
  return typeof value === "string" && forbiddenIn(value) === undefined;
}

/** Returns the first forbidden character of a text, or of the texts of a list. */
function forbiddenAnywhere(value: Json): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
  return texts.map(forbiddenIn).find((character) => character !== undefined);
}
