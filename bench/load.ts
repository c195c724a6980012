import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bindery, startBindery } from "../test/support/bindery.js";
import { organismLines } from "../test/support/items.js";
import { recordLines } from "../test/support/records.js";

/** How fast a file was imported. */
export interface ImportFigures {
  readonly perSecond: number;
  /** The rate as a ratio to that of `JSON.parse` over the same lines. */
  readonly ofParse: number;
}

/** What it cost to get to a loaded, running service. */
export interface LoadFigures {
  readonly items: ImportFigures;
  readonly records: ImportFigures;
  /** Megabytes of memory: of a new service without data, and of the loaded one after its first answer. */
  readonly emptyMegabytes: number;
  readonly startedMegabytes: number;
  /** From starting the process to the first page of the loaded vocabulary. */
  readonly firstAnswerMillis: number;
}

export interface Loaded {
  readonly bindery: Bindery;
  readonly token: string;
  readonly figures: LoadFigures;
  dispose(): Promise<void>;
}

/** In the data folder. */
export const LOG_FILE = "log";

/** Limits are counted, and never met. */
const PLENTY = 900_000_000;

/** As operators run it: the log at its default level, here into a file. */
export const SERVICE = {
  through: ["bash", "-c", `exec "$0" "$@" > >(sed -u "/ serves /q"; exec cat > "$BINDERY_DATA/${LOG_FILE}")`],
  env: {
    BINDERY_LOG_LEVEL: "info",
    BINDERY_RATE_LIMITS: ["", "anonymous-"]
      .map((who) => `${who}reads=${PLENTY},${who}searches=${PLENTY},${who}writes=${PLENTY}`)
      .join(","),
  },
};

/** Lines generated at once. */
const CHUNK = 1_000;

/**
 * Starts a service on a new folder, loads it by the command line while it is stopped, and starts it again.
 * @param items and, unless there are others, as many records
 * @param main the program; absent: the one of this copy of the sources
 */
export async function loadService(items: number, records = items, main?: string): Promise<Loaded> {
  const data = mkdtempSync(join(tmpdir(), "bindery-bench-"));
  const bindery = await startBindery({ ...SERVICE, data, main });
  const emptyMegabytes = megabytesOf(bindery.pid);
  const token = await addDepositor(bindery, "bench");
  await bindery.end("SIGTERM");

  // What every command costs, however little it does.
  const overhead = await timed(() => command(bindery, "token", "list"));
  const rate = async (
    size: number,
    lines: (from: number, count: number) => string,
    ...args: string[]
  ): Promise<ImportFigures> => {
    const file = join(data, "load.ndjson");
    let parseSeconds = 0;
    for (let from = 0; from < size; from += CHUNK) {
      const text = lines(from, Math.min(CHUNK, size - from));
      appendFileSync(file, text);
      parseSeconds += await timed(async () => parseLines(text));
    }
    const seconds = Math.max((await timed(() => command(bindery, "import", ...args, file))) - overhead, 0.001);
    rmSync(file);
    return { perSecond: size / seconds, ofParse: parseSeconds / seconds };
  };
  const itemFigures = await rate(items, (from, count) => organismLines(count, { from }), "vocabulary", "organisms");
  const recordFigures = await rate(
    records,
    (from, count) => recordLines(count, { from }),
    ...["records", "mst", "--owner", "bench", "--publish"],
  );

  const firstAnswer = await timed(async () => {
    await bindery.restart();
    await bindery.client.get("/api/vocabularies/organisms");
  });
  const startedMegabytes = megabytesOf(bindery.pid);
  const firstAnswerMillis = firstAnswer * 1000;
  return {
    bindery,
    token,
    figures: { items: itemFigures, records: recordFigures, emptyMegabytes, startedMegabytes, firstAnswerMillis },
    async dispose() {
      await bindery.dispose();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function parseLines(text: string): void {
  for (const line of text.split("\n")) if (line !== "") JSON.parse(line);
}

/** Memory that a process has in RAM. */
export function megabytesOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

/**
 * Adds a depositor by the commands of the program that serves the store, which may be another version than this one.
 * @returns a token
 */
export async function addDepositor(bindery: Pick<Bindery, "program">, name: string): Promise<string> {
  await command(bindery, "user", "add", name, "--role", "depositor");
  return (await command(bindery, "token", "create", "--user", name, "--scope", "records:write")).trim();
}

/** @returns what the command prints */
export async function command(bindery: Pick<Bindery, "program">, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await bindery.program(...args);
  if (code !== 0) throw new Error(`bindery ${args.join(" ")} ended with ${code}:\n${stderr.slice(0, 2_000)}`);
  return stdout;
}

/** @returns seconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
