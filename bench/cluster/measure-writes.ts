/** Deposits and what follows them, by one node and by two, beside the embedded engine. */
import type { Client } from "../../test/support/http-client.js";
import { CALLERS, NAMES, runStep } from "../deposits.js";
import { table } from "../markdown-table.js";
import { type Figures, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import type { Sides } from "./start-sides.js";

const COLUMNS = [
  ...["Write", "Callers", "Embedded/s", "p50 ms", "p99 ms", "One node/s", "p50 ms", "p99 ms", "Times embedded"],
  ...["Two nodes/s", "p50 ms", "p99 ms"],
];

/** Who is asked, by turns. */
type Asked = Readonly<Record<"embedded" | "node" | "nodes", readonly Client[]>>;

/** Both flush each commit to the disk. */
export async function measureWrites(
  { embedded, nodes }: Sides,
  { seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">,
): Promise<string> {
  const own = (client: Client): Client => client.as(embedded.token);
  const clients = nodes.map(({ client }) => own(client));
  const asked: Asked = { embedded: [own(embedded.bindery.client)], node: clients.slice(0, 1), nodes: clients };
  const measured = new Map<string, Figures[]>();
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const callers of CALLERS) {
      for (const [side, some] of Object.entries(asked)) {
        let ids: readonly string[] = [];
        for (const step of NAMES) {
          const { figures, made } = await runStep(some, step, callers, ids.length > 0 ? ids : seconds);
          ids = made;
          const key = `${side} ${step} ${callers}`;
          if (round > 0) measured.set(key, [...(measured.get(key) ?? []), figures]);
        }
      }
    }
  }
  return table(COLUMNS, rowsOf(measured));
}

function rowsOf(measured: ReadonlyMap<string, Figures[]>): string[][] {
  return CALLERS.flatMap((callers) =>
    NAMES.map((step) => {
      const of = (side: keyof Asked): Figures => medianFigures(measured.get(`${side} ${step} ${callers}`)!);
      const cells = ({ perSecond, p50, p99 }: Figures): string[] => [
        ...[perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)],
      ];
      const [own, other] = [of("embedded"), of("node")];
      const times = (other.perSecond / own.perSecond).toFixed(2);
      return [step, String(callers), ...cells(own), ...cells(other), times, ...cells(of("nodes"))];
    }),
  );
}
