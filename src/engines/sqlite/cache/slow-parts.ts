import { type BinderyError, fail } from "../../../core/errors.js";
import { LIMITS } from "../../../core/limits.js";
import { startSlices } from "../../../core/slices.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";
import { within } from "./scan-loading.js";

/**
 * Builds a value for searches in steps of a few milliseconds. Each step runs in a read transaction of its own, so the
 * value must depend on immutable data. Returns undefined if that data was removed.
 */
export type Steps<T> = Generator<void, T | undefined>;

/** Returns a value that takes long to build. @param key names it */
export type Slowly = <T extends NonNullable<unknown>>(key: string, make: () => Steps<T>) => T;

/** Builds the value immediately, in one transaction. */
export const atOnce: Slowly = (_key, make) => {
  const steps = make();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value!;
  }
};

/** Thrown if a search needs a value that takes long to build. */
class SlowPart extends Error {
  constructor(
    readonly key: string,
    readonly make: () => Steps<NonNullable<unknown>>,
  ) {
    super("A part of the search is made in slices.");
  }
}

/** Runs searches so that slow values do not block other searches. */
export interface SlowParts {
  /**
   * Runs a search in one read transaction and returns its result. If it needs a slow value, that is built in slices,
   * once for all searches that need it, and the search starts again.
   * @param name returns the part of the query that costs the time, in words that its author knows
   * @throws BinderyError QUERY_TOO_COSTLY
   */
  run<T>(attempt: (slowly: Slowly) => T, name: () => string): Promise<T>;
}

/** Makes the runner of searches. @param db a read connection */
export function makeSlowParts(db: Db): SlowParts {
  const running = new Map<string, Promise<unknown>>();
  const buildPart = async (part: SlowPart): Promise<unknown> => {
    const slices = startSlices(0);
    const steps = part.make();
    for (;;) {
      await slices.pause();
      const step = await reading(() => db.read(() => steps.next()));
      if (step.done === true) return step.value;
    }
  };
  const startPart = (part: SlowPart): Promise<unknown> => {
    const building = buildPart(part).finally(() => running.delete(part.key));
    running.set(part.key, building);
    // The waiting searches handle the error.
    building.catch(() => undefined);
    return building;
  };
  return {
    async run(attempt, name) {
      const builtParts = new Map<string, unknown>();
      const slowly = <T>(key: string, steps: () => Steps<T & NonNullable<unknown>>): T => {
        if (builtParts.has(key)) return builtParts.get(key) as T;
        throw new SlowPart(key, steps);
      };
      for (;;) {
        const result = await reading(() => db.read(() => orSlowPart(() => attempt(slowly))));
        if (!(result instanceof SlowPart)) return result;
        const makeLateError = (): BinderyError => fail("QUERY_TOO_COSTLY", { clause: name() });
        const part = await within(running.get(result.key) ?? startPart(result), LIMITS.loadMsMax, makeLateError);
        if (part !== undefined) builtParts.set(result.key, part);
      }
    },
  };
}

function orSlowPart<T>(attempt: () => T): T | SlowPart {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof SlowPart) return error;
    throw error;
  }
}
