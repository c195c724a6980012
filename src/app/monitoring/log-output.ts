import { closeSync, constants, fstatSync, openSync, write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Lines are written together once they have this many characters, or after this time: one write for each line costs
 * the thread that answers a third of a request.
 */
const GATHERED_CHARS = 8 * 1024;
const GATHERED_MS = 50;

/** Maximum number of characters in the buffer; lines beyond it are dropped. */
const BUFFERED_CHARS_MAX = 256 * 1024;

/** Pauses before a retry: short for a slow reader, longer for a full disk. */
const RETRY_BUSY_MS = 50;
const RETRY_FAILED_MS = 1_000;

/** Time without progress after which a slow reader is reported. */
const STUCK_AFTER_MS = 5_000;

/** Maximum times that the end of the process waits for unwritten lines. */
const CLOSE_MS = 500;
const FLUSH_NOW_MS = 200;

/** Receives events of the output. */
interface OutputWatch {
  /** Lines cannot be written. @param reason the cause, for operators */
  onFailure(reason: string): void;
  /** A line is lost. */
  onDropped(): void;
  /** Lines are written again. @param dropped number of lines that were lost meanwhile */
  onRestored(dropped: number): void;
}

/** Output of lines that never waits for its reader: lines that do not fit into the buffer are dropped. */
interface LineOutput {
  write(line: string): void;
  /** Begins to write the lines in the buffer. */
  flush(): void;
  /** Waits until all lines are written, at most `CLOSE_MS`. */
  close(): Promise<void>;
  /** Writes as many lines as possible at once, because the process ends now. */
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
      reason = writeErrorReason(error);
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
  let buffer = "";
  let chunk: Buffer | undefined;
  let isInFlight = false;
  let timer: NodeJS.Timeout | undefined;

  const sendLater = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      send();
    }, ms).unref();
  };
  const send = (): void => {
    if (isInFlight) return;
    if (chunk === undefined) {
      if (buffer === "") return;
      chunk = Buffer.from(buffer);
      buffer = "";
    }
    isInFlight = true;
    sink.write(chunk, (error, written) => {
      isInFlight = false;
      if (error) return sendLater(failures.noteError(error));
      const rest = chunk?.subarray(written);
      chunk = rest === undefined || rest.length === 0 ? undefined : rest;
      if (chunk !== undefined || buffer.length >= GATHERED_CHARS) send();
      else if (buffer !== "") sendLater(GATHERED_MS);
      failures.noteWritten();
    });
  };
  return {
    write(line) {
      if (buffer.length + line.length > BUFFERED_CHARS_MAX) {
        failures.noteDropped();
        return;
      }
      buffer += line;
      if (chunk !== undefined) return;
      if (buffer.length >= GATHERED_CHARS) send();
      else if (timer === undefined) sendLater(GATHERED_MS);
    },
    flush: send,
    async close() {
      const until = performance.now() + CLOSE_MS;
      send();
      while ((chunk !== undefined || buffer !== "") && performance.now() < until) {
        await sleep(5);
        if (timer === undefined) send();
      }
    },
    flushNow() {
      // The bytes in flight are written by another thread, which the end of the process waits for.
      writeAllNow(sink, Buffer.concat([isInFlight || chunk === undefined ? Buffer.of() : chunk, Buffer.from(buffer)]));
      buffer = "";
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

/** Describes for operators why nothing can be written. */
function writeErrorReason({ code, message }: NodeJS.ErrnoException): string {
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
  // The end of the log's reader is not an error of this program.
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
