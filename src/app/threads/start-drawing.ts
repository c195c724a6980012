import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { Deps } from "../../services/context/deps.js";
import { CallEnd } from "../rpc/caller.js";
import type { Setup } from "./start-threads.js";
import { type Remote, startWorker } from "./workers.js";

/** Draws structures on a thread of its own, which is ended if a structure takes too much time or memory. */
export interface DrawingThread {
  readonly draw: Deps["draw"];
  close(): Promise<void>;
}

/** A structure that waits to be drawn. */
interface Job {
  readonly smiles: string;
  resolve(drawing: Drawing): void;
  reject(error: unknown): void;
}

/** Reading the library takes a second, or several on a busy machine. */
const START_MS = 60_000;

/** The thread holds nothing that must be closed. */
const CLOSE_MS = 500;

/**
 * The thread is started by the first drawing. It draws one structure at a time, so that the time of a structure is its
 * own, and an end of the thread fails no other one.
 */
export function startDrawing({ logger, reports }: Pick<Setup, "logger" | "reports">): DrawingThread {
  const { structuresWaitingMax, structureMsMax, structureMemoryMiBMax } = LIMITS;
  const jobs = new Set<Job>();
  let remote: Remote | undefined;
  let isDrawing = false;

  const start = (): Remote => {
    const started = startWorker({
      name: "drawing thread",
      file: new URL("./drawing-thread.js", import.meta.url),
      data: {},
      logger,
      reports,
      backlog: { calls: 1, textLength: LIMITS.structureLengthMax },
      callMs: () => structureMsMax,
      endsWhenLate: true,
      startMs: START_MS,
      closeMs: CLOSE_MS,
      oldMegabytes: structureMemoryMiBMax,
    });
    started.onReady(drawNext);
    return started;
  };

  const drawNext = (): void => {
    remote ??= start();
    const [job] = jobs;
    if (job === undefined || isDrawing || !remote.isReady()) return;
    jobs.delete(job);
    isDrawing = true;
    drawOne(remote, job.smiles)
      .then(job.resolve, job.reject)
      .finally(() => {
        isDrawing = false;
        drawNext();
      });
  };

  const draw = (smiles: string): Promise<Drawing> => {
    if (jobs.size >= structuresWaitingMax) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        if (jobs.delete(job)) reject(tooMany());
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
      jobs.add(job);
      drawNext();
    });
  };
  return { draw, close: async () => remote?.close() };
}

/** A structure that needs too much is not drawn; an end of the thread for another reason is an error. */
async function drawOne(remote: Remote, smiles: string): Promise<Drawing> {
  try {
    return (await remote.call("drawStructure", [smiles])) as Drawing;
  } catch (error) {
    const end = error instanceof Error && error.cause instanceof CallEnd ? error.cause.reason : undefined;
    if (end === "late") return { reason: `it takes more than ${LIMITS.structureMsMax / 1_000} seconds to draw` };
    if (end === "memory") return { reason: `it takes more than ${LIMITS.structureMemoryMiBMax} MiB to draw` };
    throw error;
  }
}

const tooMany = (): Error => fail("STORE_UNAVAILABLE", { reason: "too many structures wait to be drawn" });
