import { fieldsAlong } from "../../core/catalog/field-tree.js";
import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { foldKeyword } from "../../query/text/analyse.js";
import { type BodyPath, IssueList, makeIssue, valueIfShort } from "../input/issues.js";
import { nameField, titleOfPath, type Wording } from "../input/name-field.js";

/** A reference to a missing part of the record. */
export interface DanglingReference {
  /** The referring object, from the body's root. */
  readonly place: BodyPath;
  readonly id: string;
  /** Path of the referenced list; the first one if alternatives refer to several. */
  readonly to: string;
}

/** A referenced list. */
interface Target {
  /** Ids of its elements. */
  readonly ids: readonly string[];
  /** Ids of its elements by folded name. If several have the same name, the first one counts. */
  readonly idsByName: ReadonlyMap<string, string>;
  /** Number of elements that cannot be referenced: not objects, or without a text `id`. */
  readonly nameless: number;
}

/**
 * Returns an issue for each dangling reference. A mistake in the referenced list is reported once, at the list, so some
 * references are left out: all of them if the list is empty and the schema reported this; and for each element without
 * an id the references to one missing id, the most cited ids first, which the elements were probably meant to have.
 *
 * @param schemaIssues the issues of the schema in the same metadata
 * @returns issues; only the first LIMITS.nearestLookupsMax ids get suggestions of similar ids
 */
export function danglingIssues(
  dangling: readonly DanglingReference[],
  metadata: JsonObject,
  schemaIssues: readonly Issue[],
  wording: Wording,
): IssueList<Issue> {
  const issues = new IssueList<Issue>();
  const chosen = inChosenAlternatives(dangling, metadata, wording);
  for (const [to, references] of groupBy(chosen, (reference) => reference.to)) {
    const target = readTarget(metadata, to);
    const isEmpty = target.ids.length + target.nameless === 0;
    if (isEmpty && schemaIssues.some((issue) => isAboutList(issue, to))) continue;
    const byId = [...groupBy(references, ({ id }) => id).values()].sort((a, b) => b.length - a.length);
    const excused = new Set(byId.slice(0, target.nameless).flat());
    const list = titleOfPath(wording.fields, to);
    const nearestTo = makeNearestId(target);
    for (const reference of references) {
      if (excused.has(reference)) continue;
      issues.add(() => issueOf(reference, nearestTo(reference.id), list, metadata, wording));
    }
  }
  return issues;
}

function issueOf(
  { place, id }: DanglingReference,
  nearest: readonly string[],
  list: string,
  metadata: JsonObject,
  wording: Wording,
): Issue {
  const { label } = nameField(wording, metadata, place.slice(1));
  const near = nearest[0] === undefined ? {} : { nearest: nearest[0] };
  const message = wording.say.REFERENCE_DANGLING({ label, id, list, ...near });
  const extra = { value: valueIfShort(id), nearest: nearest.length > 0 ? nearest : undefined };
  return makeIssue([...place, "id"], "REFERENCE_DANGLING", [message], extra);
}

/** Number of ids of a list with which an unknown id is compared. */
const COMPARED_IDS_MAX = 1_000;

/**
 * Makes a function that finds the ids of a list that an unknown id may mean: the id of the element with this name, then
 * similar ids. The time of the comparison is proportional to both lengths and to the size of the list, so all three are
 * limited, and so is the number of unknown ids.
 */
function makeNearestId({ ids, idsByName }: Target): (id: string) => readonly string[] {
  const compared = ids.filter(({ length }) => length <= LIMITS.nearestIdLengthMax).slice(0, COMPARED_IDS_MAX);
  const nearest = new Map<string, readonly string[]>();
  return (id) => {
    const cached = nearest.get(id);
    if (cached !== undefined) return cached;
    if (id.length > LIMITS.nearestIdLengthMax || nearest.size >= LIMITS.nearestLookupsMax) return [];
    const named = idsByName.get(foldKeyword(id));
    const similar = nearestNames(id, compared, LIMITS.nearestMax);
    const suggestions = named === undefined ? similar : [named, ...similar.filter((each) => each !== named)];
    nearest.set(id, suggestions.slice(0, LIMITS.nearestMax));
    return nearest.get(id)!;
  };
}

/** Returns the references in fields of the alternatives that the record chose. */
function inChosenAlternatives(
  dangling: readonly DanglingReference[],
  metadata: JsonObject,
  { fields }: Wording,
): DanglingReference[] {
  return dangling.flatMap((each) => {
    const place = each.place.slice(1);
    const field = fieldsAlong(fields, metadata, place)[place.length];
    return field === undefined ? [] : [{ ...each, to: field.reference?.to ?? each.to }];
  });
}

function readTarget(metadata: JsonObject, to: string): Target {
  const ids: string[] = [];
  const idsByName = new Map<string, string>();
  let nameless = 0;
  for (const element of elementsAt(metadata, to.split(".").slice(1))) {
    const [id, name] = isObject(element) ? [own(element, "id"), own(element, "name")] : [];
    if (typeof id === "string" && id !== "") {
      ids.push(id);
      const key = typeof name === "string" ? foldKeyword(name) : "";
      if (key !== "" && !idsByName.has(key)) idsByName.set(key, id);
    } else nameless++;
  }
  return { ids, idsByName, nameless };
}

/** Returns the elements of all lists at a path. */
function elementsAt(value: Json | undefined, names: readonly string[]): readonly Json[] {
  const [name, ...rest] = names;
  if (Array.isArray(value)) return name === undefined ? value : value.flatMap((item: Json) => elementsAt(item, names));
  return name === undefined || !isObject(value) ? [] : elementsAt(own(value, name), rest);
}

/**
 * Returns whether the issue is about the list at a path, or about a value that contains it. No field has a number as
 * its name.
 */
function isAboutList({ pointer }: Issue, path: string): boolean {
  const fieldPath = pointer
    .slice(1)
    .split("/")
    .filter((step) => !/^\d+$/.test(step))
    .join(".");
  return path === fieldPath || path.startsWith(`${fieldPath}.`);
}

function groupBy<T>(list: readonly T[], getKey: (each: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of list) {
    const key = getKey(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
