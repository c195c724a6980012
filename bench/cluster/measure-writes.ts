/** Deposits and what follows them, by one node and by two, beside the embedded engine and OpenSearch itself. */
import type { Client } from "../../test/support/http-client.js";
import { CALLERS, NAMES, runStep } from "../deposits.js";
import { table } from "../markdown-table.js";
import { type Figures, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { prepareRawDeposits } from "./raw-deposits.js";
import type { Sides } from "./start-sides.js";

const COLUMNS = [
  "Write",
  "Callers",
  "Embedded/s",
  "p50 ms",
  "p99 ms",
  "One node/s",
  "p50 ms",
  "p99 ms",
  "Times embedded",
  "Two nodes/s",
  "p50 ms",
  "p99 ms",
  "OpenSearch/s",
  "p50 ms",
  "p99 ms",
  "with `wait_for`/s",
  "p50 ms",
  "p99 ms",
];

/** Who is asked, by turns. */
type Asked = Readonly<Record<"embedded" | "node" | "nodes", readonly Client[]>>;

/** Of one side, step and number of callers: one of each round. */
type Measured = Map<string, Figures[]>;

/** The step that OpenSearch is asked for, and how it is asked. */
const RAW_STEP: (typeof NAMES)[number] = "deposit";
const REFRESHES = ["false", "wait_for"] as const;

/** All flush each write to the disk. */
export async function measureWrites(
  { embedded, nodes, stores }: Sides,
  { seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">,
): Promise<string> {
  const own = (client: Client): Client => client.as(embedded.token);
  const clients = nodes.map(({ client }) => own(client));
  const asked: Asked = { embedded: [own(embedded.bindery.client)], node: clients.slice(0, 1), nodes: clients };
  const raw = await prepareRawDeposits(stores.search, embedded.bindery.url);
  const measured: Measured = new Map();
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const note = (key: string, figures: Figures): void => {
      if (round > 0) measured.set(key, [...(measured.get(key) ?? []), figures]);
    };
    for (const callers of CALLERS) {
      for (const [side, some] of Object.entries(asked)) {
        let ids: readonly string[] = [];
        for (const step of NAMES) {
          const { figures, made } = await runStep(some, step, callers, ids.length > 0 ? ids : seconds);
          ids = made;
          note(`${side} ${step} ${callers}`, figures);
        }
      }
      for (const refresh of REFRESHES) {
        note(`${refresh} ${RAW_STEP} ${callers}`, await raw.measure(callers, seconds, refresh));
      }
    }
  }
  return table(COLUMNS, rowsOf(measured));
}

function rowsOf(measured: Measured): string[][] {
  return CALLERS.flatMap((callers) =>
    NAMES.map((step) => {
      const of = (side: string): Figures => medianFigures(measured.get(`${side} ${step} ${callers}`)!);
      const cells = ({ perSecond, p50, p99 }: Figures): string[] => [
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
      ];
      const [own, other] = [of("embedded"), of("node")];
      const times = (other.perSecond / own.perSecond).toFixed(2);
      const raw = REFRESHES.flatMap((refresh) => (step === RAW_STEP ? cells(of(refresh)) : ["", "", ""]));
      return [step, String(callers), ...cells(own), ...cells(other), times, ...cells(of("nodes")), ...raw];
    }),
  );
}
