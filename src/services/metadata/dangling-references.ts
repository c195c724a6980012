import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { type BodyPath, makeIssue } from "../input/issues.js";
import { nameField, titleOfPath, type Wording } from "../input/name-field.js";

/** A reference to a part of the record that is not there. */
export interface Dangling {
  /** Of the object that refers, from the body's root. */
  readonly place: BodyPath;
  readonly id: string;
  /** Path of the list that is referred to; the first, where alternatives refer to several. */
  readonly to: string;
}

interface Named extends Dangling {
  readonly label: string;
}

/** A list that is referred to. */
interface Target {
  /** Ids of its elements. */
  readonly ids: readonly string[];
  /** Elements that nothing can refer to: no objects, or without an id that is a text. */
  readonly nameless: number;
}

/**
 * Each reference to nothing, where it stands. A mistake in the list that is referred to is told once, there: its
 * references are left out where the list has nothing and the schema has said so, and as many different ids as there
 * are elements without one, the most cited first, for they are most likely meant.
 *
 * @param validated what the schema says of the same metadata
 */
export function issuesOfDangling(
  dangling: readonly Dangling[],
  metadata: JsonObject,
  validated: readonly Issue[],
  wording: Wording,
): readonly Issue[] {
  const named = namesOf(dangling, metadata, wording);
  return [...groupBy(named, ({ to }) => to)].flatMap(([to, references]) => {
    const target = readTarget(metadata, to);
    const isEmpty = target.ids.length + target.nameless === 0;
    if (isEmpty && validated.some((issue) => isAboutList(issue, to))) return [];
    const byId = [...groupBy(references, ({ id }) => id).values()].sort((a, b) => b.length - a.length);
    const excused = new Set(byId.slice(0, target.nameless).flat());
    const list = titleOfPath(wording.fields, to);
    return references.filter((each) => !excused.has(each)).map((each) => issueOf(each, target, list, wording));
  });
}

function issueOf({ place, id, label }: Named, { ids }: Target, list: string, { say }: Wording): Issue {
  const nearest = nearestNames(id, ids, LIMITS.nearestMax);
  const near = nearest[0] === undefined ? {} : { nearest: nearest[0] };
  const message = say.REFERENCE_DANGLING({ label, id, list, ...near });
  const extra = { value: id, ...(nearest.length > 0 ? { nearest } : {}) };
  return makeIssue([...place, "id"], "REFERENCE_DANGLING", [message], extra);
}

/** Those that stand where the model, as the record chose its alternatives, has a field. */
function namesOf(dangling: readonly Dangling[], metadata: JsonObject, wording: Wording): readonly Named[] {
  return dangling.flatMap((each) => {
    const { label, field } = nameField(wording, metadata, each.place.slice(1));
    return field === undefined ? [] : [{ ...each, label, to: field.reference?.to ?? each.to }];
  });
}

function readTarget(metadata: JsonObject, to: string): Target {
  const ids: string[] = [];
  let nameless = 0;
  for (const element of elementsAt(metadata, to.split(".").slice(1))) {
    const id = isObject(element) ? own(element, "id") : undefined;
    if (typeof id === "string" && id !== "") ids.push(id);
    else nameless++;
  }
  return { ids, nameless };
}

/** What the lists at a path hold, one after the other. */
function elementsAt(value: Json | undefined, names: readonly string[]): readonly Json[] {
  const [name, ...rest] = names;
  if (Array.isArray(value)) return name === undefined ? value : value.flatMap((item: Json) => elementsAt(item, names));
  return name === undefined || !isObject(value) ? [] : elementsAt(own(value, name), rest);
}

/** Is this about the list at a path, or about something that holds it? No field is called like an index. */
function isAboutList({ pointer }: Issue, path: string): boolean {
  const named = pointer
    .slice(1)
    .split("/")
    .filter((step) => !/^\d+$/.test(step))
    .join(".");
  return path === named || path.startsWith(`${named}.`);
}

function groupBy<T>(list: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
