import { decodePlace, encodePlace } from "./change-cursor.js";
import type { Deps } from "./deps.js";
import type { ReadServices } from "./services.js";

/** One page of the change feed. It is public: what it names is or was public. */
export function makeReadChanges({ store }: Deps): ReadServices["readChanges"] {
  return async ({ since, size, until }) => {
    const end = until === undefined ? {} : { until: decodePlace(until) };
    const { changes, next, isEnd } = await store.changes.page({ after: decodePlace(since), limit: size, ...end });
    return { changes, next: encodePlace(next), isEnd };
  };
}

/** The cursor after the last change. */
export function makeReadChangeHead({ store }: Deps): ReadServices["readChangeHead"] {
  return async () => encodePlace(await store.changes.head());
}
