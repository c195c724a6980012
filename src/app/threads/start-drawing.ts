import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { Deps } from "../../services/context/deps.js";
import { CallEnd } from "../rpc/caller.js";
import type { Setup } from "./start-threads.js";
import { type SupervisedWorker, startWorker } from "./workers.js";

/** Draws structures on a separate thread, which is ended if a structure takes too much time or memory. */
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

/** Time limit of a start, in milliseconds. To load the library takes a second, or several on a busy machine. */
const START_MS = 60_000;

/** Time limit of closing, in milliseconds. The thread has nothing to close. */
const CLOSE_MS = 500;

/**
 * Returns the drawing thread, which starts with the first structure. It draws one structure at a time, so that each
 * structure has its own time limit, and the end of the thread fails only one call. Callers take turns, so that one
 * caller does not delay the others.
 */
export function startDrawing(
  { logger, reports }: Pick<Setup, "logger" | "reports">,
  {
    file = new URL("./drawing-thread.js", import.meta.url),
    memoryMiB = LIMITS.structureMemoryMiBMax,
  }: DrawingParts = {},
): DrawingThread {
  const queues = makeQueues();
  let thread: SupervisedWorker | undefined;
  let isDrawing = false;

  const start = (): SupervisedWorker => {
    const worker = startWorker({
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
    worker.onReady(drawNext);
    return worker;
  };

  const drawNext = (): void => {
    thread ??= start();
    if (isDrawing || !thread.isReady()) return;
    const job = queues.takeNext();
    if (job === undefined) return;
    isDrawing = true;
    drawOne(thread, job.smiles, memoryMiB)
      .then(job.resolve, job.reject)
      .finally(() => {
        isDrawing = false;
        drawNext();
      });
  };

  const draw = (smiles: string, caller = ""): Promise<Drawing> => {
    const refusal = queues.refusalFor(caller);
    if (refusal !== undefined) return Promise.reject(unavailable(refusal));
    return new Promise((resolve, reject) => {
      const waitTimer = setTimeout(() => {
        if (queues.take(caller, job)) reject(unavailable(TOO_MANY));
      }, LIMITS.structureWaitMsMax);
      const job: Job = {
        smiles,
        resolve: (drawing) => {
          clearTimeout(waitTimer);
          resolve(drawing);
        },
        reject: (error) => {
          clearTimeout(waitTimer);
          reject(error);
        },
      };
      queues.add(caller, job);
      drawNext();
    });
  };
  return { draw, close: async () => thread?.close() };
}

/** Draws a structure, or returns why it needs too much. Throws if the thread ends for another reason. */
async function drawOne(thread: SupervisedWorker, smiles: string, memoryMiB: number): Promise<Drawing> {
  try {
    return (await thread.call("drawStructure", [smiles])) as Drawing;
  } catch (error) {
    const endReason = error instanceof Error && error.cause instanceof CallEnd ? error.cause.reason : undefined;
    if (endReason === "late") return { reason: `it takes more than ${LIMITS.structureMsMax / 1_000} seconds to draw` };
    if (endReason === "memory") return { reason: `it takes more than ${memoryMiB} MiB to draw` };
    throw error;
  }
}

const TOO_MANY = "too many structures wait to be drawn";

const unavailable = (reason: string): Error => fail("STORE_UNAVAILABLE", { reason });

/** Makes the queues of waiting structures, one for each caller. They are served in turn. */
function makeQueues() {
  /** The first caller is served next, and then moves to the end. */
  const jobsByCaller = new Map<string, Set<Job>>();
  let count = 0;

  /** @returns whether the structure was still waiting */
  const take = (caller: string, job: Job): boolean => {
    const jobs = jobsByCaller.get(caller);
    if (jobs?.delete(job) !== true) return false;
    count -= 1;
    jobsByCaller.delete(caller);
    if (jobs.size > 0) jobsByCaller.set(caller, jobs);
    return true;
  };
  return {
    take,
    takeNext(): Job | undefined {
      for (const [caller, jobs] of jobsByCaller) for (const job of jobs) if (take(caller, job)) return job;
      return undefined;
    },
    add(caller: string, job: Job): void {
      const jobs = jobsByCaller.get(caller) ?? new Set<Job>();
      jobsByCaller.set(caller, jobs.add(job));
      count += 1;
    },
    /** Returns the reason to refuse a further structure of a caller, or undefined to accept it. */
    refusalFor(caller: string): string | undefined {
      const { structuresWaitingMax, structuresWaitingPerCallerMax: max } = LIMITS;
      if ((jobsByCaller.get(caller)?.size ?? 0) >= max) return `${max} of your structures wait to be drawn`;
      return count >= structuresWaitingMax ? TOO_MANY : undefined;
    },
  };
}
