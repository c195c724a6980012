import { isDeepStrictEqual } from "node:util";
import type { ReferenceSite } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { type BodyPath, formatFieldPath, IssueList, makeIssue, valueIfShort } from "../input/issues.js";
import { nameField, titleOfPath, type Wording } from "../input/name-field.js";
import { type ModelSites, rewriteSites } from "../input/walk-sites.js";
import type { DanglingReference } from "./dangling-references.js";

/** A function that words the warning about one value, which was dropped or replaced. */
type DescribeValue = (value: { readonly key: string; readonly isDropped: boolean }) => string;

/**
 * Warns about each value that a client sent in an object that the service fills in, if the filled object lacks the
 * value or has another one. The warning contains the value, so that nothing typed is lost.
 *
 * @param silent keys without a warning
 */
export function warnAboutDropped(
  warnings: IssueList<Warning>,
  { sent, stored, place }: { readonly sent: JsonObject; readonly stored: JsonObject; readonly place: BodyPath },
  silent: readonly string[],
  code: "TERM_FIELD_REPLACED" | "REFERENCE_FIELD_REPLACED",
  describe: DescribeValue,
): void {
  for (const [key, value] of Object.entries(sent)) {
    if (silent.includes(key)) continue;
    const storedValue = own(stored, key);
    if (storedValue !== undefined && isDeepStrictEqual(storedValue, value)) continue;
    const message = describe({ key, isDropped: storedValue === undefined });
    warnings.add(() => ({ code, message, field: formatFieldPath([...place, key]), value }));
  }
}

/**
 * Fills in the references inside a record: an object with a text `id` at a reference site becomes exactly
 * `{"id", <fields copied from the part with this id>}`. A reference to a missing part stays as sent.
 */
export function fillReferences(
  sites: ModelSites,
  metadata: JsonObject,
  { fields, say }: Wording,
): {
  readonly metadata: JsonObject;
  readonly dangling: readonly DanglingReference[];
  readonly repeated: readonly RepeatedId[];
  readonly warnings: IssueList<Warning>;
} {
  const { targets, repeated } = collectTargets(sites, metadata);
  const dangling: DanglingReference[] = [];
  const warnings = new IssueList<Warning>();
  const filled = rewriteSites(metadata, sites.references, (sent, alternatives, place) => {
    const id = own(sent, "id");
    if (typeof id !== "string") return sent;
    for (const site of alternatives) {
      const target = targets.get(site.to)?.get(id)?.element;
      if (target === undefined) continue;
      const stored = referenceTo(target, site);
      warnAboutDropped(warnings, { sent, stored, place }, ["id"], "REFERENCE_FIELD_REPLACED", (value) =>
        say.REFERENCE_FIELD_REPLACED({ ...value, id, list: titleOfPath(fields, site.to) }),
      );
      return stored;
    }
    dangling.push({ place: [...place], id, to: alternatives[0]!.to });
    return sent;
  });
  return { metadata: filled, dangling, repeated, warnings };
}

interface Target {
  readonly element: JsonObject;
  readonly place: BodyPath;
}

/** Returns the targets by path of their array, then by id. If several have the same id, the others are `repeated`. */
function collectTargets(
  sites: ModelSites,
  metadata: JsonObject,
): { readonly targets: ReadonlyMap<string, ReadonlyMap<string, Target>>; readonly repeated: readonly RepeatedId[] } {
  const targets = new Map<string, Map<string, Target>>();
  const repeated: RepeatedId[] = [];
  rewriteSites(metadata, sites.targets, (element, lists, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    const { path } = lists[0]!;
    const targetsById = targets.get(path) ?? new Map<string, Target>();
    targets.set(path, targetsById);
    const first = targetsById.get(id);
    if (first === undefined) targetsById.set(id, { element, place: [...place] });
    else if (id !== "") repeated.push({ id, place: [...place], first: first.place });
    return element;
  });
  return { targets, repeated };
}

function referenceTo(target: JsonObject, site: ReferenceSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(target, name);
    if (value !== undefined) copied.push([name, value]);
  }
  return Object.fromEntries([["id", own(target, "id")!], ...copied]);
}

/** An element of a referenced list with the same id as an earlier element. */
interface RepeatedId {
  readonly id: string;
  /** The place of the element, from the body's root. */
  readonly place: BodyPath;
  /** The place of the first element with the id. */
  readonly first: BodyPath;
}

/** Returns an issue for each repeated id: a reference to it could mean either element. */
export function repeatedIdIssues(
  repeated: readonly RepeatedId[],
  metadata: JsonObject,
  wording: Wording,
): IssueList<Issue> {
  const issues = new IssueList<Issue>();
  const nameAt = (place: BodyPath): string => nameField(wording, metadata, place.slice(1)).label;
  for (const { id, place, first } of repeated) {
    issues.add(() => {
      const message = wording.say.REPEATED_ID({ label: nameAt([...place, "id"]), id, first: nameAt(first) });
      return makeIssue([...place, "id"], "REPEATED_ID", [message], { value: valueIfShort(id) });
    });
  }
  return issues;
}
