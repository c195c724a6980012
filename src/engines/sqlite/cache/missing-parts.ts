/** Parts of a search that take too long to make inside it: they are made elsewhere, and the search starts again. */
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { addAll } from "../../../core/collections.js";
import { BinderyError, fail } from "../../../core/errors.js";
import { LIMITS } from "../../../core/limits.js";
import { startSlices } from "../../../core/slices.js";
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";

/** A value that a search needs, and how to make it. */
export interface MissingPart {
  /** Names the value. Parts with the same key are made once for all searches that wait. */
  readonly key: string;
  /**
   * Whether the value depends on words or bounds of a query: its making ends if no search waits for it any more. Other
   * parts are made to their end, so that a retry finds them even on a slow machine.
   */
  readonly isOfQuery: boolean;
  /**
   * Makes the value.
   * @param until milliseconds since 1970 after which no search waits for it
   * @returns undefined if the data that it depends on were removed
   */
  make(until: number): Promise<unknown>;
}

/** Thrown by a search that needs parts which are not there. */
export class MissingParts extends Error {
  constructor(readonly parts: readonly MissingPart[]) {
    super("Parts of the search have to be made.");
  }
}

/** Returns the result of `get`, or the missing parts that it throws, for a search that may not need the value. */
export function orMissing<T>(get: () => T): T | MissingParts {
  try {
    return get();
  } catch (error) {
    if (error instanceof MissingParts) return error;
    throw error;
  }
}

/** Calls `get` for each element. @throws MissingParts with the parts of all elements, so that they are made together */
export function getAll<T, R>(elements: readonly T[], get: (element: T) => R): R[] {
  const results: R[] = [];
  const parts: MissingPart[] = [];
  for (const element of elements) {
    const result = orMissing(() => get(element));
    if (result instanceof MissingParts) addAll(parts, result.parts);
    else results.push(result);
  }
  if (parts.length > 0) throw new MissingParts(parts);
  return results;
}

/**
 * Steps of a few milliseconds that build a value; the result is undefined if its data was removed. Each step runs in a
 * read transaction of its own, so the data must be immutable.
 */
export type Steps<T> = Generator<void, T | undefined>;

/** Returns a value that is built in steps. @param key names it. @throws MissingParts if it has to be built first */
export type Build = <T extends NonNullable<unknown>>(key: string, makeSteps: () => Steps<T>) => T;

/** Builds a value immediately, in the transaction of the search. */
export const buildAtOnce: Build = (_key, makeSteps) => {
  const steps = makeSteps();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value!;
  }
};

/** The parts that were made for one search, over all its attempts. */
export interface MadeParts {
  /** Returns a part; undefined if it was not made. */
  get<T>(key: string): T | undefined;
  readonly build: Build;
}

/** Runs searches. */
export interface SearchRunner {
  /**
   * Runs a search in one read transaction. If it throws MissingParts, they are made, and it starts again.
   * @param name returns the part of the query that costs the time, in words that its author knows
   * @throws BinderyError QUERY_TOO_COSTLY or INDEX_LOADING if a part takes too long; errors of its making
   */
  run<T>(attempt: (made: MadeParts) => T, name: () => string): Promise<T>;
}

/** Time for which a finished part is kept if no search takes it, because all that waited gave up. */
const UNCLAIMED_MS = 60_000;

/** Makes the runner of searches. @param db a read connection. @param limitMs time that a search waits for a part */
export function makeSearchRunner(
  db: Db,
  background: BackgroundReporter = WARNING_REPORTER,
  limitMs: number = LIMITS.loadMsMax,
): SearchRunner {
  const makeOnce = makePartSharing(background, limitMs);
  return {
    async run(attempt, name) {
      const made = new Map<string, unknown>();
      const parts: MadeParts = {
        get: <T>(key: string) => made.get(key) as T | undefined,
        build: <T>(key: string, makeSteps: () => Steps<T>): T => {
          if (made.has(key)) return made.get(key) as T;
          throw new MissingParts([{ key, isOfQuery: false, make: () => buildInSlices(db, makeSteps()) }]);
        },
      };
      for (;;) {
        const result = await runRead(() => db.read(() => orMissing(() => attempt(parts))));
        if (!(result instanceof MissingParts)) return result;
        const missing = new Map(result.parts.map((part) => [part.key, part]));
        const makePart = async (part: MissingPart): Promise<void> => {
          const value = await makeOnce(part, name);
          if (value !== undefined) made.set(part.key, value);
        };
        await Promise.all([...missing.values()].map(makePart));
      }
    },
  };
}

async function buildInSlices<T>(db: Db, steps: Steps<T>): Promise<T | undefined> {
  const slices = startSlices(0);
  for (;;) {
    await slices.pause();
    const step = await runRead(() => db.read(() => steps.next()));
    if (step.done === true) return step.value;
  }
}

/** Makes a function that makes each part once for all searches that wait for it, each for a limited time. */
function makePartSharing(
  background: BackgroundReporter,
  limitMs: number,
): (part: MissingPart, name: () => string) => Promise<unknown> {
  const running = new Map<string, Promise<unknown>>();
  const removeRunning = (key: string, making: Promise<unknown>): void => {
    if (running.get(key) === making) running.delete(key);
  };
  const startPart = ({ key, isOfQuery, make }: MissingPart): Promise<unknown> => {
    const making = make(isOfQuery ? Date.now() + limitMs : Number.POSITIVE_INFINITY);
    running.set(key, making);
    making.then(
      () => {
        if (isOfQuery) removeRunning(key, making);
        else setTimeout(removeRunning, UNCLAIMED_MS, key, making).unref();
        background.onBackgroundSuccess("index-load");
      },
      (error: unknown) => {
        removeRunning(key, making);
        if (isFault(error)) background.onBackgroundError("index-load", error);
      },
    );
    return making;
  };
  return async (part, name) => {
    const { key, isOfQuery } = part;
    const makeLateError = (): BinderyError =>
      isOfQuery ? fail("QUERY_TOO_COSTLY", { clause: name() }) : fail("INDEX_LOADING");
    const making = running.get(key) ?? startPart(part);
    const value = await within(making, limitMs, makeLateError);
    // From now on the search has the value, and puts it into its cache.
    removeRunning(key, making);
    return value;
  };
}

/** Returns whether the error is a fault. A scan that takes too long is not. */
const isFault = (error: unknown): boolean => !(error instanceof BinderyError) || error.status >= 500;

/** Waits for work with a time limit. @param late makes the error that is thrown if the work takes longer */
async function within<T>(work: Promise<T>, limitMs: number, late: () => BinderyError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
