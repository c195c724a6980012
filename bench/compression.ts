import { loadService } from "./load.js";
import { type Figures, measure, median, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";

const PATHS = {
  "record page of 10": "/api/search/?size=10&facets=none",
  "vocabulary page of 1,000": "/api/vocabularies/organisms?size=1000",
} as const;
const CODINGS = ["gzip", "br"] as const;
const CONNECTIONS = 8;

/** The same page with and without compression, in turn on one service. @returns a table in Markdown */
export async function reportCompression(size: number, { seconds, rounds }: BenchOptions): Promise<string> {
  const { bindery, dispose } = await loadService(size);
  const take = (path: string, coding: string): Promise<Figures> => {
    const test = { name: `${path}, ${coding}`, method: "GET" as const, paths: [path], connections: CONNECTIONS };
    return measure(bindery.url, { ...test, headers: { "accept-encoding": coding } }, seconds);
  };
  const bytesOf = async (path: string, coding: string): Promise<number> => {
    const { headers } = await bindery.client.send("HEAD", path, { headers: { "accept-encoding": coding } });
    return Number(headers["content-length"]);
  };
  const rows: string[] = [];
  try {
    for (const [name, path] of Object.entries(PATHS)) {
      await take(path, "identity");
      for (const coding of CODINGS) {
        const taken: { plain: Figures; packed: Figures }[] = [];
        for (let round = 0; round < rounds; round++) {
          taken.push({ plain: await take(path, "identity"), packed: await take(path, coding) });
        }
        const [plain, packed] = [medianFigures(taken.map((t) => t.plain)), medianFigures(taken.map((t) => t.packed))];
        const ratio = median(taken.map((t) => t.packed.perSecond / t.plain.perSecond));
        const [whole, small] = [await bytesOf(path, "identity"), await bytesOf(path, coding)];
        const cells = [name, coding, kilobytes(whole), kilobytes(small), plain.perSecond.toFixed(0)];
        cells.push(packed.perSecond.toFixed(0), ratio.toFixed(2), plain.p50.toFixed(1), packed.p50.toFixed(1));
        rows.push(`| ${cells.join(" | ")} |`);
      }
    }
  } finally {
    await dispose();
  }
  return [HEAD, ...rows].join("\n");
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

const HEAD = `\
| Page | Coding | Plain | Compressed | Plain/s | Compressed/s | Ratio | Plain p50 ms | Compressed p50 ms |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`;
