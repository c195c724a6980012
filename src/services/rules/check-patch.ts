import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import { checkTerm } from "./check-term.js";

type PatchVerdict =
  | {
      readonly patch: TermPatch;
      /** The item that the patch makes where there is none of its id; absent: it makes none. */
      readonly alone?: TermContent;
      readonly reasons?: never;
    }
  | { readonly reasons: readonly string[]; readonly patch?: never; readonly alone?: never };

/** Fields that an empty value takes away. A title is one text per language, of which an item keeps one. */
const CLEARABLE = ["synonyms", "parent", "status", "replaced_by"] as const;

/** Stands in for the title while the rest of a line without one is checked. */
const SOME_TITLE = "-";

/**
 * Checks a line that is written over the item of its id: as `checkTerm`, but it need say only what it changes. A key
 * that is not there leaves its field as it is; `null`, `""`, `[]` and `{}` take it away. `props` is a group of fields,
 * not a field: `{}` there names none.
 */
export function checkPatch(vocabulary: Vocabulary, value: unknown): PatchVerdict {
  if (!isObject(value)) return { reasons: checkTerm(vocabulary, value).reasons ?? [] };
  const title = readTitle(vocabulary, value);
  const cleared = CLEARABLE.filter((key) => isEmpty(own(value, key)));
  const props = propsIn(vocabulary, value);
  const gone = props.filter(({ given }) => isEmpty(given)).map(({ name }) => name);
  const { content, reasons = [] } = checkTerm(vocabulary, checkable(value, title.checked, cleared, gone));
  if (content === undefined || title.reason !== undefined) {
    return { reasons: [...(title.reason === undefined ? [] : [title.reason]), ...reasons] };
  }
  const said = title.patch(content);
  const patch = patchOf(value, content, { title: said, cleared, props: props.map((p) => p.name) });
  return said === undefined || title.isWithoutText ? { patch } : { patch, alone: content };
}

/** The line without what is empty in it, and would be refused for that: null and no synonyms are not. */
function checkable(value: JsonObject, title: Json, cleared: readonly string[], gone: readonly string[]): JsonObject {
  const inside = isObject(value.props) ? value.props : {};
  const isNothing = (given: Json | undefined): boolean => (given ?? null) === null;
  const isFine = (name: string): boolean =>
    isNothing(own(value, name)) || (name === "synonyms" && Array.isArray(value[name]));
  // So it mostly is, and there are millions.
  if (title === value.title && cleared.every(isFine) && gone.every((n) => isFine(n) && isNothing(own(inside, n)))) {
    return value;
  }
  return {
    ...without(value, [...cleared, ...gone]),
    ...(isObject(value.props) ? { props: without(value.props, gone) } : {}),
    title,
  };
}

function patchOf(
  value: JsonObject,
  content: TermContent,
  said: {
    readonly title: TermPatch["title"] | undefined;
    readonly cleared: readonly (typeof CLEARABLE)[number][];
    readonly props: readonly string[];
  },
): TermPatch {
  const isSaid = (key: (typeof CLEARABLE)[number]): boolean => Object.hasOwn(value, key);
  const props: Record<string, Json> = {};
  for (const name of said.props) props[name] = own(content.props, name) ?? null;
  const { synonyms = [], status, parent = null, replaced_by = null } = content;
  return {
    id: content.id,
    ...(said.title === undefined ? {} : { title: said.title }),
    ...(said.props.length === 0 ? {} : { props }),
    ...(isSaid("synonyms") ? { synonyms } : {}),
    ...(isSaid("parent") ? { parent } : {}),
    ...(isSaid("status") ? { status: said.cleared.includes("status") ? null : status } : {}),
    ...(isSaid("replaced_by") ? { replaced_by } : {}),
    ...(content.confirmed === false ? { confirmed: false } : {}),
  };
}

interface TitleOfLine {
  /** What is checked in its place. */
  readonly checked: Json;
  readonly reason?: string;
  /** Does it only take texts away? */
  readonly isWithoutText?: boolean;
  /** @param content what was made of `checked` */
  patch(content: TermContent): TermPatch["title"] | undefined;
}

function readTitle(vocabulary: Vocabulary, value: JsonObject): TitleOfLine {
  const title = own(value, "title");
  if (title === undefined) return { checked: SOME_TITLE, patch: () => undefined };
  if (isEmpty(title)) {
    const reason = '"title" must not be empty; leave the key out to keep the title as it is';
    return { checked: SOME_TITLE, reason, patch: () => undefined };
  }
  if (!isObject(title)) return { checked: title, patch: (content) => content.title };
  const cleared = Object.keys(title).filter((tag) => isEmpty(title[tag]));
  if (cleared.length === 0) return { checked: title, patch: (content) => content.title };
  const nulls = Object.fromEntries(cleared.map((tag) => [tag, null]));
  const hasTexts = cleared.length < Object.keys(title).length;
  const first = vocabulary.languages[0]!;
  // With the empty languages, so that a tag which is none is a mistake there too.
  const checked = { ...title, ...nulls, ...(hasTexts ? {} : { [first]: SOME_TITLE }) };
  const patch: TitleOfLine["patch"] = (content) => ({ ...(hasTexts ? content.title : {}), ...nulls });
  return { checked, isWithoutText: !hasTexts, patch };
}

/** Props that the line names, in `props` or beside it; null in one place and a value in the other is the value. */
function propsIn({ props: declared }: Vocabulary, value: JsonObject): readonly { name: string; given: Json }[] {
  const props = isObject(value.props) ? value.props : {};
  const found: { name: string; given: Json }[] = [];
  for (const { name } of declared) {
    const [inside, outside] = [own(props, name), own(value, name)];
    if (inside === undefined && outside === undefined) continue;
    found.push({ name, given: isEmpty(inside ?? null) ? (isEmpty(outside ?? null) ? null : outside!) : inside! });
  }
  return found;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function without(object: JsonObject, keys: readonly string[]): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
