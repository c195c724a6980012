/**
 * Deposits and what follows them, by one caller and by eight at once: over HTTP, in one process, and what SQLite needs
 * for the same statements.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCatalog } from "../src/app/composition/read-catalog.js";
import { databaseFile, openSqlite } from "../src/engines/sqlite/index.js";
import { makeOnDemand, makeServices } from "../src/services/index.js";
import { startBindery } from "../test/support/bindery.js";
import type { Client } from "../test/support/http-client.js";
import { makeRecord } from "../test/support/records.js";
import { openBareInsert } from "./bare-insert.js";
import { CATALOG_FOLDER, clock } from "./classes/build-records.js";
import { type Figures, measureCalls, median, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";
import { copyStore, repeatCalls, StatementRecorder } from "./recorded-statements.js";

const UNLIMITED = { BINDERY_RATE_LIMITS: "reads=1000000,searches=1000000,writes=1000000" };

export const CALLERS = [1, 8] as const;

/** Writes of each step that are measured in one process, after as many that are not. */
const MEASURED = 256;

const BODIES = Array.from({ length: 64 }, (_, n) => JSON.stringify(makeRecord(n, { seed: 3 })));
const bodyOf = (n: number): string => BODIES[n % BODIES.length]!;

const draftOf = (id: string): string => `/api/records/mst/${id}/draft`;

/** What is asked of a record, one after the other. */
const STEPS = {
  deposit: (client: Client, n: number) => client.post("/api/records/mst/", JSON.parse(bodyOf(n))),
  publish: (client: Client, _: number, id: string) => client.post(`${draftOf(id)}/actions/publish`),
  "open an edit": (client: Client, _: number, id: string) => client.post(draftOf(id)),
  replace: (client: Client, n: number, id: string) => client.put(draftOf(id), JSON.parse(bodyOf(n + 1))),
  "publish an edit": (client: Client, _: number, id: string) => client.post(`${draftOf(id)}/actions/publish`),
} as const;
type Step = keyof typeof STEPS;
export const NAMES = Object.keys(STEPS) as Step[];

/** Of one step: its figures and those of the bare INSERT beside it, round by round. */
type Rounds = { readonly own: Figures; readonly bare: Figures }[];

export async function reportDeposits({ seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">): Promise<string> {
  const bindery = await startBindery({ env: UNLIMITED });
  try {
    const client = bindery.client.as((await bindery.user("bench")).token);
    const insert = openBareInsert(bindery.data, BODIES);
    const measured = new Map<string, Rounds>();
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const callers of CALLERS) {
        let ids: readonly string[] = [];
        for (const step of NAMES) {
          const { figures, made } = await runStep([client], step, callers, ids.length > 0 ? ids : seconds);
          ids = made;
          const key = `${step} ${callers}`;
          const bare = insert.measure(Math.min(seconds, 0.2));
          if (round > 0) measured.set(key, [...(measured.get(key) ?? []), { own: figures, bare }]);
        }
      }
    }
    return describe(measured, await measureInProcess());
  } finally {
    await bindery.dispose();
  }
}

/**
 * @param clients are asked in turn
 * @param task seconds in which new records are made, or the records that each get the step
 * @returns their ids
 */
export async function runStep(
  clients: readonly Client[],
  step: Step,
  callers: number,
  task: number | readonly string[],
): Promise<{ figures: Figures; made: readonly string[] }> {
  const made: string[] = [];
  const isNew = typeof task === "number";
  const figures = await measureCalls(callers, isNew ? { seconds: task } : { calls: task.length }, async (n) => {
    const answer = await STEPS[step](clients[n % clients.length]!, n, isNew ? "" : task[n]!);
    if (answer.status >= 300) throw new Error(`${step} was answered ${answer.status}: ${answer.text}`);
    made.push(isNew ? (answer.body as { id: string }).id : task[n]!);
    return answer.millis;
  });
  return { figures, made };
}

/** One write inside this process. */
interface InProcess {
  /** Bytes of the log. */
  readonly logBytes: number;
  readonly millis: number;
  /** Time of SQLite for the same statements, on a copy of the store. */
  readonly statementMillis: number;
}

/** Measures writes inside this process, while nothing writes the log back. @returns figures by step and callers */
async function measureInProcess(): Promise<ReadonlyMap<string, InProcess>> {
  const root = mkdtempSync(join(tmpdir(), "bindery-bench-log-"));
  const folder = join(root, "data");
  mkdirSync(folder);
  const catalog = readCatalog([CATALOG_FOLDER]);
  const options = { folder, catalog, clock, role: "writer", searchTimeoutMs: 10_000, runsCheckpoints: false } as const;
  const recorder = new StatementRecorder();
  const engine = openSqlite(options);
  try {
    const services = makeServices({ ...engine, catalog, clock, random: { bytes: randomBytes }, ...makeOnDemand() });
    await services.loadStarters();
    await services.addUser("bench", "depositor");
    const { token } = await services.createToken({ user: "bench", scopes: ["records:write"] });
    const actor = await services.authenticate(token);
    const steps = {
      deposit: async (n: number) => (await services.createDraft(actor, "mst", bodyOf(n))).record.id,
      publish: async (_: number, id: string) => (await services.publishDraft(actor, { model: "mst", id })).record.id,
      "open an edit": async (_: number, id: string) =>
        (await services.editRecord(actor, { model: "mst", id })).record.id,
      replace: async (n: number, id: string) =>
        (await services.replaceDraft(actor, { model: "mst", id }, bodyOf(n + 1))).record.id,
      "publish an edit": async (_: number, id: string) =>
        (await services.publishDraft(actor, { model: "mst", id })).record.id,
    } satisfies Record<Step, (n: number, id: string) => Promise<string>>;
    const runAll = async (): Promise<readonly Run[]> => {
      const runs: Run[] = [];
      for (const callers of CALLERS) {
        let ids: string[] = Array.from({ length: MEASURED }, () => "");
        for (const step of NAMES) {
          const before = statSync(`${databaseFile(folder)}-wal`).size;
          const begun = performance.now();
          const made: string[] = [];
          for (let n = 0; n < MEASURED; n += callers) {
            const some = ids.slice(n, n + callers).map((id, i) => steps[step](n + i, id));
            made.push(...(await Promise.all(some)));
          }
          ids = made;
          const millis = performance.now() - begun;
          const logBytes = statSync(`${databaseFile(folder)}-wal`).size - before;
          runs.push({ key: `${step} ${callers}`, millis, logBytes, calls: recorder.take() });
        }
      }
      return runs;
    };
    await runAll();
    const copy = copyStore(folder);
    const runs = await runAll();
    const repeated = repeatCalls(
      copy,
      runs.map(({ calls }) => calls),
    );
    return new Map(
      runs.map(({ key, millis, logBytes }, n) => [
        key,
        {
          logBytes: logBytes / MEASURED,
          millis: millis / MEASURED,
          statementMillis: repeated[n]! / MEASURED,
        },
      ]),
    );
  } finally {
    await engine.close();
    recorder.dispose();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A step of all writes, one after the other or eight at once. */
interface Run {
  readonly key: string;
  readonly millis: number;
  readonly logBytes: number;
  readonly calls: ReturnType<StatementRecorder["take"]>;
}

const COLUMNS = [
  "Write",
  "Callers",
  "Per second",
  "p50 ms",
  "p99 ms",
  "Of bare INSERTs",
  "In process ms",
  "Same statements ms",
  "Log, kB",
];

function describe(measured: ReadonlyMap<string, Rounds>, inProcess: ReadonlyMap<string, InProcess>): string {
  const rows = CALLERS.flatMap((callers) =>
    NAMES.map((step) => {
      const rounds = measured.get(`${step} ${callers}`)!;
      const { perSecond, p50, p99 } = medianFigures(rounds.map(({ own }) => own));
      const ratio = median(rounds.map(({ own, bare }) => own.perSecond / bare.perSecond));
      const { logBytes, millis, statementMillis } = inProcess.get(`${step} ${callers}`)!;
      const service = [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), ratio.toFixed(3)];
      const cells = [...service, millis.toFixed(1), statementMillis.toFixed(1), (logBytes / 1_000).toFixed(0)];
      return `| ${step} | ${callers} | ${cells.join(" | ")} |`;
    }),
  );
  const all = [...measured.values()].flat().map(({ bare }) => bare);
  const size = BODIES.reduce((sum, body) => sum + body.length, 0) / BODIES.length / 1_000;
  return [
    `Bodies of ${size.toFixed(1)} kB as sent; a bare INSERT of one takes ${medianFigures(all).p50.toFixed(2)} ms.`,
    "",
    `| ${COLUMNS.join(" | ")} |`,
    `| --- |${" ---: |".repeat(COLUMNS.length - 1)}`,
    ...rows,
    "",
  ].join("\n");
}
