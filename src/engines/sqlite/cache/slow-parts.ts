import { type BinderyError, fail } from "../../../core/errors.js";
import { LIMITS } from "../../../core/limits.js";
import { startSlices } from "../../../core/slices.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";
import { within } from "./single-flight.js";

/**
 * Makes a part of what searches need, in steps of a few milliseconds: each in a read transaction of its own, so that it
 * has to be of what does not change. undefined where what it was made of is gone.
 */
export type Steps<T> = Generator<void, T | undefined>;

/** Returns what takes long to make. @param key names it */
export type Slowly = <T extends NonNullable<unknown>>(key: string, make: () => Steps<T>) => T;

/** Makes it here and now, in one transaction. */
export const atOnce: Slowly = (_key, make) => {
  const steps = make();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value!;
  }
};

/** Thrown where a search needs what takes long to make. */
class SlowPart extends Error {
  constructor(
    readonly key: string,
    readonly make: () => Steps<NonNullable<unknown>>,
  ) {
    super("A part of the search is made in slices.");
  }
}

/** Runs searches so that what takes long holds up no others. */
export interface SlowParts {
  /**
   * The result of a search, in one read transaction. Where it needs what takes long, that is made in slices, for all
   * that need it together, and the search begins again.
   * @param name what costs the time, in words that the author of the query knows
   * @throws BinderyError QUERY_TOO_COSTLY
   */
  run<T>(attempt: (slowly: Slowly) => T, name: () => string): Promise<T>;
}

/** @param db a reading connection */
export function makeSlowParts(db: Db): SlowParts {
  const running = new Map<string, Promise<unknown>>();
  const make = async (part: SlowPart): Promise<unknown> => {
    const slices = startSlices(0);
    const steps = part.make();
    for (;;) {
      await slices.pause();
      const step = await reading(() => db.read(() => steps.next()));
      if (step.done === true) return step.value;
    }
  };
  const start = (part: SlowPart): Promise<unknown> => {
    const making = make(part).finally(() => running.delete(part.key));
    running.set(part.key, making);
    // Those who wait hear of it.
    making.catch(() => undefined);
    return making;
  };
  return {
    async run(attempt, name) {
      const made = new Map<string, unknown>();
      const slowly = <T>(key: string, steps: () => Steps<T & NonNullable<unknown>>): T => {
        if (made.has(key)) return made.get(key) as T;
        throw new SlowPart(key, steps);
      };
      for (;;) {
        const result = await reading(() => db.read(() => orSlowPart(() => attempt(slowly))));
        if (!(result instanceof SlowPart)) return result;
        const late = (): BinderyError => fail("QUERY_TOO_COSTLY", { clause: name() });
        const part = await within(running.get(result.key) ?? start(result), LIMITS.loadMsMax, late);
        if (part !== undefined) made.set(result.key, part);
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
