import { closeSync, constants, fstatSync, openSync, write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Lines are written together once they have this many characters, or after this time: one write for each line costs
 * the thread that answers a third of a request.
 */
const GATHERED_CHARS = 8 * 1024;
const GATHERED_MS = 50;

/** Characters that wait at most; above it, lines are dropped. */
const WAITING_CHARS_MAX = 256 * 1024;

/** A reader that is slow is tried again soon, a full disk later. */
const RETRY_BUSY_MS = 50;
const RETRY_FAILED_MS = 1_000;

/** A reader that takes nothing for so long is reported. */
const STUCK_AFTER_MS = 5_000;

/** The end of the process waits this long at most for what is not written. */
const CLOSE_MS = 500;
const FLUSH_NOW_MS = 200;

/** Gets what happens to the lines. */
interface OutputWatch {
  /** Lines cannot be written, as `reason` says. */
  onFailure(reason: string): void;
  /** A line is lost. */
  onDropped(): void;
  /** Lines are written again. @param dropped lines that were lost meanwhile */
  onRestored(dropped: number): void;
}

/** Writes lines, and never waits for who reads them: what does not fit into its buffer is dropped. */
interface LineOutput {
  write(line: string): void;
  /** Begins to write what was gathered. */
  flush(): void;
  /** Waits until all is written, or `CLOSE_MS`. */
  close(): Promise<void>;
  /** Writes what can be written at once, for a process that ends now. */
  flushNow(): void;
}

type Done = (error: NodeJS.ErrnoException | null | undefined, written: number) => void;

/** A destination of bytes that never blocks this thread. */
interface ByteSink {
  write(bytes: Buffer, done: Done): void;
  /** Returns the number of bytes that were written. @throws the error of the operating system */
  writeNow(bytes: Buffer): number;
}

/** Returns a record of whether lines can be written, which reports changes to `watch`. */
function trackFailures(watch: OutputWatch) {
  let failure: { readonly since: number; isReported: boolean } | undefined;
  let reason = NO_READER;
  let dropped = 0;
  const reportFailure = (): void => {
    failure ??= { since: performance.now(), isReported: false };
    failure.isReported = true;
    watch.onFailure(reason);
  };
  return {
    noteDropped(): void {
      dropped += 1;
      watch.onDropped();
      reportFailure();
    },
    /** Returns the pause before the next attempt, in milliseconds. */
    noteError(error: NodeJS.ErrnoException): number {
      failure ??= { since: performance.now(), isReported: false };
      reason = reasonOf(error);
      const isBusy = error.code === "EAGAIN" || error.code === "EBUSY";
      if (!isBusy || performance.now() - failure.since > STUCK_AFTER_MS) reportFailure();
      return isBusy ? RETRY_BUSY_MS : RETRY_FAILED_MS;
    },
    noteWritten(): void {
      const wasReported = failure?.isReported === true;
      failure = undefined;
      if (!wasReported && dropped === 0) return;
      const lost = dropped;
      dropped = 0;
      watch.onRestored(lost);
    },
  };
}

/** Returns an output that gathers lines and writes them to `sink`. */
export function makeLineOutput(sink: ByteSink, watch: OutputWatch): LineOutput {
  const failures = trackFailures(watch);
  let waiting = "";
  let chunk: Buffer | undefined;
  let isInFlight = false;
  let timer: NodeJS.Timeout | undefined;

  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      send();
    }, ms).unref();
  };
  const send = (): void => {
    if (isInFlight) return;
    if (chunk === undefined) {
      if (waiting === "") return;
      chunk = Buffer.from(waiting);
      waiting = "";
    }
    isInFlight = true;
    sink.write(chunk, (error, written) => {
      isInFlight = false;
      if (error) return later(failures.noteError(error));
      const rest = chunk?.subarray(written);
      chunk = rest === undefined || rest.length === 0 ? undefined : rest;
      if (chunk !== undefined || waiting.length >= GATHERED_CHARS) send();
      else if (waiting !== "") later(GATHERED_MS);
      failures.noteWritten();
    });
  };
  return {
    write(line) {
      if (waiting.length + line.length > WAITING_CHARS_MAX) {
        failures.noteDropped();
        return;
      }
      waiting += line;
      if (chunk !== undefined) return;
      if (waiting.length >= GATHERED_CHARS) send();
      else if (timer === undefined) later(GATHERED_MS);
    },
    flush: send,
    async close() {
      const until = performance.now() + CLOSE_MS;
      send();
      while ((chunk !== undefined || waiting !== "") && performance.now() < until) {
        await sleep(5);
        if (timer === undefined) send();
      }
    },
    flushNow() {
      // The bytes in flight are written by another thread, which the end of the process waits for.
      writeAllNow(sink, Buffer.concat([isInFlight || chunk === undefined ? Buffer.of() : chunk, Buffer.from(waiting)]));
      waiting = "";
    },
  };
}

function writeAllNow(sink: ByteSink, bytes: Buffer): void {
  const until = performance.now() + FLUSH_NOW_MS;
  let rest = bytes;
  while (rest.length > 0 && performance.now() < until) {
    try {
      rest = rest.subarray(sink.writeNow(rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

const NO_READER = "its reader takes nothing";

/** Says for operators why nothing can be written. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case "EAGAIN":
    case "EBUSY":
      return NO_READER;
    case "EPIPE":
      return "its reader has ended";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    default:
      return message;
  }
}

/**
 * Returns the standard output of this process as a sink that never blocks. A pipe or terminal is opened again, because
 * the flag that keeps writes from blocking belongs to the open file, which other processes share.
 */
export function openStdout(): ByteSink {
  const stats = fstatSync(1);
  if (stats.isFile()) return descriptorSink(1);
  if (stats.isFIFO() || stats.isCharacterDevice()) {
    try {
      return descriptorSink(
        openSync("/proc/self/fd/1", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
      );
    } catch {
      // Another system, another user's terminal, or a pipe whose reader has ended.
    }
  }
  // The reader of a log may end: that is no error of this program.
  process.stdout.removeAllListeners("error").on("error", () => undefined);
  return {
    write: (bytes, done) => void process.stdout.write(bytes, (error) => done(error, bytes.length)),
    writeNow(bytes) {
      process.stdout.write(bytes);
      return bytes.length;
    },
  };
}

/** Returns a sink for a descriptor of a regular file, or of one that was opened with O_NONBLOCK. */
function descriptorSink(descriptor: number): ByteSink & { close(): void } {
  return {
    write: (bytes, done) => write(descriptor, bytes, 0, bytes.length, null, done),
    writeNow: (bytes) => writeSync(descriptor, bytes),
    close: () => closeSync(descriptor),
  };
}

/** Writes a line to standard error at once. Other output of a thread passes through the main thread. */
export function writeWithoutMain(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // The disk is full, or the reader has ended: there is no other place to report it.
  }
}
