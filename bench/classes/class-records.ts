import { organismId } from "../../test/support/items.js";
import type { SeededRandom } from "../../test/support/random.js";
import { makeRecord } from "../../test/support/records.js";

/** Organisms that the records cite between them, as unequally as words are used. */
export const CITED_ORGANISMS = 20_000;

/** Spreads the often cited ones over the whole tree: a number without a common divisor with theirs. */
const SPREAD = 7_919;

/** Number n of the records whose queries are measured: see `makeRecord`, with more organisms and log-normal results. */
export function makeClassRecord(n: number): ReturnType<typeof makeRecord> {
  return makeRecord(n, {
    organism: (random) => citedOrganism(Math.floor(CITED_ORGANISMS ** random.next()) - 1),
    value: (random: SeededRandom) => resultValue(random.next()),
  });
}

/** Id of an organism by how often it is cited; rank 0 is cited most. */
export function citedOrganism(rank: number): string {
  return organismId((rank * SPREAD) % CITED_ORGANISMS);
}

/** The value below which a share of all results lies. The logit stands for the normal quantile: they are close. */
export function resultValue(share: number): number {
  const safe = Math.min(Math.max(share, 1e-9), 1 - 1e-9);
  return Math.exp(4 + 1.4 * Math.log(safe / (1 - safe)));
}
