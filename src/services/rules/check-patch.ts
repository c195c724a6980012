import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import { checkTerm } from "./check-term.js";

type PatchVerdict =
  | {
      readonly patch: TermPatch;
      /** The term that the patch creates if its id does not exist; absent if the patch cannot create one. */
      readonly alone?: TermContent;
      readonly reasons?: never;
    }
  | { readonly reasons: readonly string[]; readonly patch?: never; readonly alone?: never };

/** Fields that an empty value removes. A title must keep a text in at least one language. */
const CLEARABLE = ["synonyms", "parent", "status", "replaced_by"] as const;

/** Replaces a missing title while the rest of a line is checked. */
const SOME_TITLE = "-";

/**
 * Checks a line that changes the term with its id: like `checkTerm`, but the line needs only the changes. A missing key
 * keeps its field; `null`, `""`, `[]` and `{}` remove it. `props` is a group of fields, not a field: `{}` changes
 * nothing.
 */
export function checkPatch(vocabulary: Vocabulary, value: unknown): PatchVerdict {
  if (!isObject(value)) return { reasons: checkTerm(vocabulary, value).reasons ?? [] };
  const title = readTitle(vocabulary, value);
  const cleared = CLEARABLE.filter((key) => isEmpty(own(value, key)));
  const props = propsIn(vocabulary, value);
  const clearedProps = props.filter(({ given }) => isEmpty(given)).map(({ name }) => name);
  const { content, reasons = [] } = checkTerm(vocabulary, checkable(value, title.checked, cleared, clearedProps));
  if (content === undefined || title.reason !== undefined) {
    return { reasons: [...(title.reason === undefined ? [] : [title.reason]), ...reasons] };
  }
  const titlePatch = title.patch(content);
  const patch = makePatch(value, content, { title: titlePatch, cleared, props: props.map((p) => p.name) });
  return titlePatch === undefined || title.isWithoutText ? { patch } : { patch, alone: content };
}

/** Returns the line without empty values that `checkTerm` refuses. It accepts null and an empty list of synonyms. */
function checkable(
  value: JsonObject,
  title: Json,
  cleared: readonly string[],
  clearedProps: readonly string[],
): JsonObject {
  const inside = isObject(value.props) ? value.props : {};
  const isNothing = (given: Json | undefined): boolean => (given ?? null) === null;
  const isFine = (name: string): boolean =>
    isNothing(own(value, name)) || (name === "synonyms" && Array.isArray(value[name]));
  const areFine = clearedProps.every((name) => isFine(name) && isNothing(own(inside, name)));
  // Most lines need no copy, and a file may have millions.
  if (title === value.title && cleared.every(isFine) && areFine) return value;
  return {
    ...without(value, [...cleared, ...clearedProps]),
    ...(isObject(value.props) ? { props: without(value.props, clearedProps) } : {}),
    title,
  };
}

function makePatch(
  value: JsonObject,
  content: TermContent,
  changes: {
    readonly title: TermPatch["title"] | undefined;
    readonly cleared: readonly (typeof CLEARABLE)[number][];
    readonly props: readonly string[];
  },
): TermPatch {
  const hasKey = (key: (typeof CLEARABLE)[number]): boolean => Object.hasOwn(value, key);
  const props: Record<string, Json> = {};
  for (const name of changes.props) props[name] = own(content.props, name) ?? null;
  const { synonyms = [], status, parent = null, replaced_by = null } = content;
  return {
    id: content.id,
    ...(changes.title === undefined ? {} : { title: changes.title }),
    ...(changes.props.length === 0 ? {} : { props }),
    ...(hasKey("synonyms") ? { synonyms } : {}),
    ...(hasKey("parent") ? { parent } : {}),
    ...(hasKey("status") ? { status: changes.cleared.includes("status") ? null : status } : {}),
    ...(hasKey("replaced_by") ? { replaced_by } : {}),
    ...(content.confirmed === false ? { confirmed: false } : {}),
  };
}

/** The title of a line. */
interface LineTitle {
  /** The value that `checkTerm` checks in its place. */
  readonly checked: Json;
  readonly reason?: string;
  /** Whether it only removes texts. */
  readonly isWithoutText?: boolean;
  /** @param content the content that was read from `checked` */
  patch(content: TermContent): TermPatch["title"] | undefined;
}

function readTitle(vocabulary: Vocabulary, value: JsonObject): LineTitle {
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
  // Contains the empty languages too, so that their tags are checked.
  const checked = { ...title, ...nulls, ...(hasTexts ? {} : { [first]: SOME_TITLE }) };
  const patch: LineTitle["patch"] = (content) => ({ ...(hasTexts ? content.title : {}), ...nulls });
  return { checked, isWithoutText: !hasTexts, patch };
}

/** Returns the props of the line, in `props` or at the top level. If one of both is empty, the other one counts. */
function propsIn({ props: declared }: Vocabulary, value: JsonObject): readonly { name: string; given: Json }[] {
  const props = isObject(value.props) ? value.props : {};
  const entries: { name: string; given: Json }[] = [];
  for (const { name } of declared) {
    const [inside, outside] = [own(props, name), own(value, name)];
    if (inside === undefined && outside === undefined) continue;
    entries.push({ name, given: isEmpty(inside ?? null) ? (isEmpty(outside ?? null) ? null : outside!) : inside! });
  }
  return entries;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function without(object: JsonObject, keys: readonly string[]): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
