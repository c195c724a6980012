import type { Issue } from "../../core/issue.js";
import type { JsonObject } from "../../core/json.js";
import { type BodyPath, Listed, makeIssue } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import { shownValue } from "./shown.js";

/** An element of a list that is referred to, whose id an element before it has. */
export interface RepeatedId {
  readonly id: string;
  /** Of the element, from the body's root. */
  readonly place: BodyPath;
  /** Of the first element with the id. */
  readonly first: BodyPath;
}

/** Each id that stands in the wrong place: a reference to it could mean either element. */
export function issuesOfRepeated(
  repeated: readonly RepeatedId[],
  metadata: JsonObject,
  wording: Wording,
): Listed<Issue> {
  const issues = new Listed<Issue>();
  const nameAt = (place: BodyPath): string => nameField(wording, metadata, place.slice(1)).label;
  for (const { id, place, first } of repeated) {
    issues.add(() => {
      const message = wording.say.REPEATED_ID({ label: nameAt([...place, "id"]), id, first: nameAt(first) });
      return makeIssue([...place, "id"], "REPEATED_ID", [message], { value: shownValue(id) });
    });
  }
  return issues;
}
