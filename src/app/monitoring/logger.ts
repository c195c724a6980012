import { type DestinationStream, type Logger, pino } from "pino";
import { hideSecrets } from "../../core/printing/hide-secrets.js";
import { printableJson, printableLine, printableText } from "../../core/printing/printable.js";

/** Where log lines go, and plain lines for people among them. */
export interface Log {
  readonly logger: Logger;
  /** Writes one plain line, whatever the level of the log. */
  print(line: string): void;
  /** Returns when everything is written; for the end of the process. */
  flush(): void;
}

/**
 * So many bytes of lines are written together, and after so long what there is: to write each line by itself costs
 * the thread that answers as much as a third of a request.
 */
const GATHERED_BYTES = 8 * 1024;
const GATHERED_MS = 50;

const LEVELS = new Map([
  [10, "TRACE"],
  [20, "DEBUG"],
  [30, "INFO"],
  [40, "WARN"],
  [50, "ERROR"],
  [60, "FATAL"],
]);

/**
 * The log of this process on stdout: JSON lines for machines, short lines on a terminal. Whatever looks like one of
 * our tokens is blotted out, wherever it stands.
 */
export function makeLog(level: string, isTerminal: boolean = process.stdout.isTTY): Log {
  const out = pino.destination({ dest: 1, sync: isTerminal, minLength: isTerminal ? 0 : GATHERED_BYTES });
  const target = isTerminal ? { write: (line: string) => out.write(formatLine(line)) } : gather(out);
  const logger = pino(
    { level, base: null, hooks: { streamWrite: (line) => printableJson(hideSecrets(line)) } },
    target,
  );
  return {
    logger,
    print: (line) => {
      out.write(`${printableText(line)}\n`);
      out.flush();
    },
    flush: () => out.flushSync(),
  };
}

/** Writes what `out` holds back before it is old. */
function gather(out: ReturnType<typeof pino.destination>): DestinationStream {
  let timer: NodeJS.Timeout | undefined;
  const write = (line: string): void => {
    out.write(line);
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      out.flush();
    }, GATHERED_MS).unref();
  };
  return { write };
}

/** `12:00:01 WARN  Message {"other":"fields"}` of a JSON line, with the stack of an error below it. */
export function formatLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string } };
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const fields = Object.keys(rest).length === 0 ? "" : ` ${printableJson(JSON.stringify(rest))}`;
  const stack = err?.stack === undefined ? "" : `\n${printableText(err.stack)}`;
  const label = (LEVELS.get(Number(level)) ?? "LOG").padEnd(5);
  return `${clock} ${label} ${printableLine(String(msg ?? ""))}${fields}${stack}\n`;
}
