import { command } from "../load.js";
import { count, table } from "../markdown-table.js";
import type { Sides } from "./start-sides.js";
import { type Sighting, watchIndex } from "./watch-index.js";

/** `bindery reindex` while the nodes run, and what it took to get there. */
export async function measureReindex(sides: Sides, items: number): Promise<string> {
  const { embedded, stores, moved, records } = sides;
  const watch = await watchIndex(stores.databaseUrl);
  try {
    await command(stores, "reindex");
  } finally {
    await watch.end();
  }
  const { recordSeconds, termSeconds } = phasesOf(watch.sightings);
  const { figures } = embedded;
  return table(
    ["Work", "Seconds", "Per second"],
    [
      rowOf(`import of ${count(items)} items, embedded`, items / figures.items.perSecond, items),
      rowOf(`import of ${count(records)} records, embedded`, records / figures.records.perSecond, records),
      rowOf(`\`dump\` of all of it`, moved.dump),
      rowOf(`\`load\` into PostgreSQL`, moved.load),
      rowOf(`the first index, from the start of the first node`, moved.firstIndex),
      rowOf(`\`reindex\`: records`, recordSeconds, records),
      rowOf(`\`reindex\`: items, until searches ask it`, termSeconds, items),
    ],
  );
}

function rowOf(work: string, seconds: number, done?: number): string[] {
  return [work, seconds.toFixed(1), done === undefined ? "" : count(done / seconds)];
}

/** Records come first, then terms; then searches ask the new index. */
function phasesOf(sightings: readonly Sighting[]): { readonly recordSeconds: number; readonly termSeconds: number } {
  const before = sightings[0]!.indexes.map(({ name }) => name);
  const made = sightings.flatMap(({ at, indexes }) => {
    const mark = indexes.find(({ name }) => !before.includes(name));
    return mark === undefined ? [] : [{ at, ...mark }];
  });
  const begun = made[0]!.at;
  const last = Math.max(...made.map(({ scanned = 0 }) => scanned));
  const recordsAt = made.find(({ scanned }) => scanned === last)!.at;
  const switchedAt = made.find(({ isCurrent }) => isCurrent)!.at;
  return { recordSeconds: (recordsAt - begun) / 1_000, termSeconds: (switchedAt - recordsAt) / 1_000 };
}
