import type { FieldChange } from "../answers/term-answers.js";
/** Merging of a line of a file with an existing term, and differences between states of a term. */

import type { Json } from "../json.js";
import type { Synonym, TermContent, TermPatch, TermStatus, Titles } from "../term.js";
import type { Vocabulary } from "./types.js";

type Shape = Pick<Vocabulary, "languages" | "props">;

/**
 * Applies a patch to a term: `null` removes a field, missing fields stay.
 * @param old undefined for a new term
 * @returns the reason if the result would be an invalid term
 */
export function applyTermPatch(
  vocabulary: Shape,
  old: TermContent | undefined,
  original: TermPatch,
): TermContent | { readonly reason: string } {
  const patch = old === undefined || original.manner === undefined ? original : resolveManner(old, original);
  const title = mergeValues(old?.title, patch.title);
  const replacedBy = mergeValue(old?.replaced_by, patch.replaced_by);
  const status = patchedStatus(old, patch, replacedBy);
  if (Object.keys(title).length === 0) {
    return { reason: old === undefined ? 'a new term needs a "title"' : 'the last text of "title" cannot be removed' };
  }
  if (status === "active" && replacedBy !== undefined) {
    return {
      reason: `an active term cannot have "replaced_by" (now "${replacedBy}"); remove it with "replaced_by": null`,
    };
  }
  const synonyms = patch.synonyms ?? old?.synonyms ?? [];
  const parent = mergeValue(old?.parent, patch.parent);
  return {
    id: patch.id,
    title: orderTitles(title, vocabulary.languages) as Titles,
    props: inOrder(
      mergeValues(old?.props, patch.props),
      vocabulary.props.map(({ name }) => name),
    ),
    ...(synonyms.length === 0 ? {} : { synonyms }),
    ...(parent === undefined ? {} : { parent }),
    status,
    ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
    // An import confirms a term unless the file says otherwise, as in an export with unconfirmed terms.
    ...(patch.confirmed === false && status === "active" ? { confirmed: false } : {}),
  };
}

/** Converts a patch that is joined with a term to an equivalent patch that is written over it. */
function resolveManner(old: TermContent, patch: TermPatch): TermPatch {
  const isFill = patch.manner === "fill";
  const mayWrite = (values: object, name: string): boolean => !isFill || !Object.hasOwn(values, name);
  const title = Object.entries(patch.title ?? {}).filter(([lang]) => mayWrite(old.title, lang));
  const props = Object.entries(patch.props ?? {}).flatMap(([name, value]): [string, Json | null][] => {
    const oldValue = ownValue(old.props, name);
    if (Array.isArray(value) && Array.isArray(oldValue)) return [[name, [...new Set([...oldValue, ...value])]]];
    return mayWrite(old.props, name) ? [[name, value]] : [];
  });
  const { id, synonyms, parent, status, replaced_by, confirmed } = patch;
  const links = { ...(parent === undefined ? {} : { parent }), ...(status === undefined ? {} : { status }) };
  const titles = mergeValues(old.title, Object.fromEntries(title));
  const more = newSynonyms(old.synonyms ?? [], Object.values(titles), [
    ...(synonyms ?? []),
    ...otherTitles(old.title, titles),
    ...otherTitles(patch.title ?? {}, titles),
  ]);
  return {
    id,
    title: Object.fromEntries(title),
    props: Object.fromEntries(props),
    synonyms: [...(old.synonyms ?? []), ...more],
    ...(isFill ? {} : links),
    ...(isFill || replaced_by === undefined ? {} : { replaced_by }),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
}

/**
 * Kind of the synonym with the title of an authority, if the term has another title. A term with such a synonym got its
 * title from a curator, an import or the starter catalog, and no authority renames it.
 */
export const AUTHORITY_TITLE = "title";

/** Returns a patch that keeps the titles of a term in these languages and adds those of `patch` as synonyms. */
export function withoutRenaming(old: TermContent, patch: TermPatch, languages: readonly string[]): TermPatch {
  const titles = Object.entries(patch.title ?? {});
  const isKept = (lang: string): boolean => languages.includes(lang);
  const names = titles.flatMap(([lang, text]) => (isKept(lang) && text !== null ? [{ name: text, lang }] : []));
  const title = Object.fromEntries(titles.filter(([lang]) => !isKept(lang)));
  const [first] = Object.keys(old.title);
  const added = names.map(({ name, lang }) => ({ name, kind: AUTHORITY_TITLE, ...(lang === first ? {} : { lang }) }));
  const current = patch.synonyms ?? (patch.manner === undefined ? (old.synonyms ?? []) : []);
  const synonyms = current.filter(({ name }) => !languages.some((lang) => old.title[lang] === name));
  return { ...patch, title, synonyms: [...synonyms, ...newSynonyms(synonyms, Object.values(old.title), added)] };
}

/** Returns the synonyms in `more` whose names the term lacks, each once. Case is ignored. */
function newSynonyms(old: readonly Synonym[], titles: readonly string[], more: readonly Synonym[]): readonly Synonym[] {
  const names = new Set(old.map(({ name }) => name.toLowerCase()));
  const lowerTitles = new Set(titles.map((title) => title.toLowerCase()));
  return more.filter(({ name, kind }) => {
    const key = name.toLowerCase();
    const isTitle = kind === AUTHORITY_TITLE ? titles.includes(name) : lowerTitles.has(key);
    if (isTitle || names.has(key)) return false;
    names.add(key);
    return true;
  });
}

/** Returns, as synonyms, the titles that the term lacks after the change. */
function otherTitles(
  titles: Readonly<Record<string, string | null>>,
  now: Readonly<Record<string, string>>,
): Synonym[] {
  return Object.entries(titles).flatMap(([lang, name]) =>
    name === null || ownValue(now, lang) === name ? [] : [{ name, kind: "synonym" }],
  );
}

/** Converts a term to a patch with all its fields. */
export function termAsPatch(content: TermContent): TermPatch {
  const { id, title, props, synonyms, parent, status, replaced_by, confirmed } = content;
  return {
    id,
    title,
    props,
    ...(synonyms === undefined ? {} : { synonyms }),
    ...(parent === undefined ? {} : { parent }),
    ...(status === "active" ? {} : { status }),
    ...(replaced_by === undefined ? {} : { replaced_by }),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
}

/** Sorts titles: declared languages first, in their order, then the others by name. */
export function orderTitles<T>(titles: Readonly<Record<string, T>>, languages: readonly string[]): Record<string, T> {
  return inOrder(titles, [...languages, ...Object.keys(titles).sort()]);
}

function inOrder<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  let at = -1;
  // Most values are already in order, and a load may have millions of terms.
  const isInOrder = Object.keys(values).every((name) => {
    const previous = at;
    at = names.indexOf(name);
    return at > previous;
  });
  if (isInOrder) return values;
  const sortedNames = new Set(names.filter((name) => Object.hasOwn(values, name)));
  return Object.fromEntries([...sortedNames].map((name) => [name, values[name] as T]));
}

function mergeValues<T>(
  old: Readonly<Record<string, T>> = {},
  patch: Readonly<Record<string, T | null>> = {},
): Record<string, T> {
  const values = Object.entries({ ...old, ...patch }) as [string, T | null][];
  return Object.fromEntries(values.filter((entry): entry is [string, T] => entry[1] !== null));
}

const mergeValue = (old: string | undefined, change: string | null | undefined): string | undefined =>
  change === undefined ? old : (change ?? undefined);

/** Returns the status after a patch. A successor deprecates the term. */
function patchedStatus(old: TermContent | undefined, patch: TermPatch, replacedBy: string | undefined): TermStatus {
  if (patch.status === null) return replacedBy === undefined ? "active" : "deprecated";
  if (patch.status !== undefined) return patch.status;
  return typeof patch.replaced_by === "string" ? "deprecated" : (old?.status ?? "active");
}

/** Returns the patch that makes these changes of a term and no others. */
export function patchOfChanges(now: TermContent, changes: readonly FieldChange[]): TermPatch {
  const title: Record<string, string | null> = {};
  const props: Record<string, Json | null> = {};
  const fields: Record<string, Json | null> = {};
  for (const { field, to } of changes) {
    const [group, name] = splitField(field);
    if (group === "title") title[name] = (to as string | undefined) ?? null;
    else if (group === "props") props[name] = to ?? null;
    else if (field === "synonyms") fields.synonyms = to ?? [];
    else if (field !== "confirmed") fields[field] = to ?? null;
  }
  return {
    ...(fields as Pick<TermPatch, "synonyms" | "parent" | "status" | "replaced_by">),
    id: now.id,
    ...(Object.keys(title).length === 0 ? {} : { title }),
    ...(Object.keys(props).length === 0 ? {} : { props }),
    ...(now.confirmed === undefined ? {} : { confirmed: now.confirmed }),
  };
}

/** Splits `props.rank` into group and name. Everything after the first dot is one name. */
function splitField(field: string): readonly [group: string, name: string] {
  const dot = field.indexOf(".");
  return dot < 0 ? [field, ""] : [field.slice(0, dot), field.slice(dot + 1)];
}

/** Returns the fields in which two states of a term differ. */
export function changedFields(old: TermContent, now: TermContent): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  const compare = (field: string, from: Json | undefined, to: Json | undefined): void => {
    if (sortedText(from) === sortedText(to)) return;
    changes.push({ field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
  };
  const compareEach = (group: "title" | "props"): void => {
    const [oldValues, newValues]: Readonly<Record<string, Json>>[] = [old[group], now[group]];
    const names = Object.keys({ ...oldValues, ...newValues });
    for (const name of names) compare(`${group}.${name}`, ownValue(oldValues, name), ownValue(newValues, name));
  };
  compareEach("title");
  for (const field of ["parent", "status", "replaced_by", "confirmed"] as const) compare(field, old[field], now[field]);
  compare("synonyms", old.synonyms as unknown as Json, now.synonyms as unknown as Json);
  compareEach("props");
  return changes;
}

const ownValue = (values: Readonly<Record<string, Json>> | undefined, name: string): Json | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** Writes JSON with sorted keys, so that equal values have equal texts. */
function sortedText(value: Json | undefined): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
