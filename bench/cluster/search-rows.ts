import type { Client } from "../../test/support/http-client.js";
import { wordOfRank } from "../../test/support/random.js";
import { openSearchRows, type Row } from "../opensearch/opensearch-rows.js";
import { COMMON } from "../requests/bench-case.js";
import { cursorsOf, newestIds } from "../requests/record-ids.js";

/** A request to both deployments, and where its documents allow it to OpenSearch itself. */
export type SearchRow = Pick<Row, "name" | "ours"> & Partial<Row>;

/** Records that are read by turns. */
const IDS = 3_000;

const common = (n: number): string => wordOfRank(COMMON + (n % 8));

/** Of the general parameters of a record of mst. */
const STEPS = "metadata.general_parameters.entities_of_interest.components.modifications.chemical.protocol";
const sameElement = (n: number): string => `${STEPS}:(description:${common(n)} AND name:${common(n + 3)})`;

/** @param items of the vocabulary */
export async function searchRows(client: Client, items: number): Promise<readonly SearchRow[]> {
  const cursors = await cursorsOf(client);
  return [...openSearchRows(items, await newestIds(client, IDS)), ...ownRows(cursors)];
}

/** What OpenSearch is not asked for: its documents would have to be others. */
function ownRows(cursors: readonly string[]): readonly SearchRow[] {
  const records = (name: string, q: (n: number) => string, more = (_: number): string => ""): SearchRow => ({
    name: `records, ${name}`,
    ours: (n) => `/api/search?q=${encodeURIComponent(q(n))}&facets=none${more(n)}`,
  });
  const byQuantity = (n: number): string => `&sort=${n % 2 === 0 ? "" : "-"}kd`;
  return [
    records("range of a quantity", (n) => `kd:<${10 + n}nM`),
    records("same element", sameElement),
    records("cited term or below", () => "organism.within:taxid:2"),
    records("fuzzy word in all text", (n) => `${common(n).slice(0, -1)}~`),
    records("common word, by a quantity", common, byQuantity),
    records(
      "everything, by cursor",
      () => "",
      (n) => `&cursor=${cursors[n % cursors.length]}`,
    ),
    { name: "records, common word, all facets", ours: (n) => `/api/search?q=${common(n)}` },
  ];
}
