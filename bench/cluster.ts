/** Deposits and what follows them on PostgreSQL beside the embedded store, in one run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bindery, startBindery } from "../test/support/bindery.js";
import type { Client } from "../test/support/http-client.js";
import { makeCluster } from "../test/support/services/postgres.js";
import { CALLERS, NAMES, runStep, UNLIMITED } from "./deposits.js";
import { table } from "./markdown-table.js";
import { type Figures, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";

const COLUMNS = [
  ...["Write", "Callers", "SQLite/s", "p50 ms", "p99 ms", "PostgreSQL/s", "p50 ms", "p99 ms", "Times SQLite"],
  ...["two nodes/s", "p50 ms", "p99 ms"],
];

/** What is measured: who is asked, by turns. */
type Sides = Readonly<Record<"sqlite" | "postgres" | "nodes", readonly Client[]>>;

/** Both flush each commit to the disk. */
export async function reportCluster({ seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-cluster-"));
  const cluster = await makeCluster(folder, { durable: true });
  const services: Bindery[] = [];
  const start = async (env: Readonly<Record<string, string>>): Promise<Bindery> => {
    services.push(await startBindery({ env: { ...UNLIMITED, ...env } }));
    return services.at(-1)!;
  };
  try {
    const shared = { BINDERY_DATABASE_URL: `${cluster.url}/postgres` };
    const [embedded, first, second] = [await start({}), await start(shared), await start(shared)];
    const alone = (await embedded.user("bench")).client;
    const { token, client } = await first.user("bench");
    const sides: Sides = { sqlite: [alone], postgres: [client], nodes: [client, second.client.as(token)] };
    return table(COLUMNS, await measureAll(sides, seconds, rounds));
  } finally {
    for (const service of services) await service.dispose();
    await cluster.stop("immediate");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(sides: Sides, seconds: number, rounds: number): Promise<string[][]> {
  const measured = new Map<string, Figures[]>();
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const callers of CALLERS) {
      for (const [side, clients] of Object.entries(sides)) {
        let ids: readonly string[] = [];
        for (const step of NAMES) {
          const { figures, made } = await runStep(clients, step, callers, ids.length > 0 ? ids : seconds);
          ids = made;
          const key = `${side} ${step} ${callers}`;
          if (round > 0) measured.set(key, [...(measured.get(key) ?? []), figures]);
        }
      }
    }
  }
  return CALLERS.flatMap((callers) =>
    NAMES.map((step) => {
      const of = (side: keyof Sides): Figures => medianFigures(measured.get(`${side} ${step} ${callers}`)!);
      const cells = ({ perSecond, p50, p99 }: Figures): string[] => [
        ...[perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)],
      ];
      const [own, other] = [of("sqlite"), of("postgres")];
      const times = (other.perSecond / own.perSecond).toFixed(2);
      return [step, String(callers), ...cells(own), ...cells(other), times, ...cells(of("nodes"))];
    }),
  );
}
