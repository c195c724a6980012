import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { Deps } from "../../services/context/deps.js";
import { CallEnd } from "../rpc/caller.js";
import type { Setup } from "./start-threads.js";
import { type Remote, startWorker } from "./workers.js";

/** Draws structures on a thread of its own, which is ended if a structure takes too much time or memory. */
interface DrawingThread {
  readonly draw: Deps["draw"];
  close(): Promise<void>;
}

/** A structure that waits to be drawn. */
interface Job {
  readonly smiles: string;
  resolve(drawing: Drawing): void;
  reject(error: unknown): void;
}

/** Replacements for the thread and its memory limit, for tests. */
interface DrawingParts {
  readonly file?: URL;
  readonly memoryMiB?: number;
}

/** Reading the library takes a second, or several on a busy machine. */
const START_MS = 60_000;

/** The thread holds nothing that must be closed. */
const CLOSE_MS = 500;

/**
 * The thread is started by the first drawing. It draws one structure at a time, so that the time of a structure is its
 * own, and the end of the thread fails no other call. Callers take turns: one caller does not delay another.
 */
export function startDrawing(
  { logger, reports }: Pick<Setup, "logger" | "reports">,
  {
    file = new URL("./drawing-thread.js", import.meta.url),
    memoryMiB = LIMITS.structureMemoryMiBMax,
  }: DrawingParts = {},
): DrawingThread {
  const waiting = makeWaiting();
  let remote: Remote | undefined;
  let isDrawing = false;

  const start = (): Remote => {
    const started = startWorker({
      name: "drawing thread",
      file,
      data: {},
      logger,
      reports,
      backlog: { calls: 1, textLength: LIMITS.structureLengthMax },
      callMs: () => LIMITS.structureMsMax,
      endsWhenLate: true,
      startMs: START_MS,
      closeMs: CLOSE_MS,
      oldMegabytes: memoryMiB,
    });
    started.onReady(drawNext);
    return started;
  };

  const drawNext = (): void => {
    remote ??= start();
    if (isDrawing || !remote.isReady()) return;
    const job = waiting.takeNext();
    if (job === undefined) return;
    isDrawing = true;
    drawOne(remote, job.smiles, memoryMiB)
      .then(job.resolve, job.reject)
      .finally(() => {
        isDrawing = false;
        drawNext();
      });
  };

  const draw = (smiles: string, caller = ""): Promise<Drawing> => {
    const refusal = waiting.refusalFor(caller);
    if (refusal !== undefined) return Promise.reject(tooMany(refusal));
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        if (waiting.take(caller, job)) reject(tooMany(TOO_MANY));
      }, LIMITS.structureWaitMsMax);
      const job: Job = {
        smiles,
        resolve: (drawing) => {
          clearTimeout(late);
          resolve(drawing);
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      };
      waiting.add(caller, job);
      drawNext();
    });
  };
  return { draw, close: async () => remote?.close() };
}

/** A structure that needs too much is not drawn; an end of the thread for another reason is an error. */
async function drawOne(remote: Remote, smiles: string, memoryMiB: number): Promise<Drawing> {
  try {
    return (await remote.call("drawStructure", [smiles])) as Drawing;
  } catch (error) {
    const end = error instanceof Error && error.cause instanceof CallEnd ? error.cause.reason : undefined;
    if (end === "late") return { reason: `it takes more than ${LIMITS.structureMsMax / 1_000} seconds to draw` };
    if (end === "memory") return { reason: `it takes more than ${memoryMiB} MiB to draw` };
    throw error;
  }
}

const TOO_MANY = "too many structures wait to be drawn";

const tooMany = (reason: string): Error => fail("STORE_UNAVAILABLE", { reason });

/** Makes the queues of waiting structures, one for each caller. Each next structure is from another caller. */
function makeWaiting() {
  /** The first caller is served next, and then moves to the end. */
  const queues = new Map<string, Set<Job>>();
  let count = 0;

  /** @returns whether the structure was still waiting */
  const take = (caller: string, job: Job): boolean => {
    const jobs = queues.get(caller);
    if (jobs?.delete(job) !== true) return false;
    count -= 1;
    queues.delete(caller);
    if (jobs.size > 0) queues.set(caller, jobs);
    return true;
  };
  return {
    take,
    takeNext(): Job | undefined {
      for (const [caller, jobs] of queues) for (const job of jobs) if (take(caller, job)) return job;
      return undefined;
    },
    add(caller: string, job: Job): void {
      const jobs = queues.get(caller) ?? new Set<Job>();
      queues.set(caller, jobs.add(job));
      count += 1;
    },
    /** Returns the reason to refuse a further structure of a caller, or undefined to accept it. */
    refusalFor(caller: string): string | undefined {
      const { structuresWaitingMax, structuresWaitingPerCallerMax: max } = LIMITS;
      if ((queues.get(caller)?.size ?? 0) >= max) return `${max} of your structures wait to be drawn`;
      return count >= structuresWaitingMax ? TOO_MANY : undefined;
    },
  };
}
