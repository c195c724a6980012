import type { ChangeServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { decodePlace, encodePlace } from "./change-cursor.js";

/** One page of the change feed. It is public: what it names is or was public. */
export function makeReadChanges({ store }: Deps): ChangeServices["readChanges"] {
  return async ({ since, size, until }) => {
    const end = until === undefined ? {} : { until: decodePlace(until) };
    const { changes, next, isEnd } = await store.changes.page({ after: decodePlace(since), limit: size, ...end });
    return { changes, next: encodePlace(next), isEnd };
  };
}

/** Returns the cursor after the last public change. */
export function makeReadChangeHead({ store }: Deps): ChangeServices["readChangeHead"] {
  return async () => encodePlace(await store.changes.head());
}
