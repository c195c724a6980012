import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTextBuilder } from "../store/build-texts.js";
import type { BulkLoader } from "./bulk-loader.js";

/** Where the full-text tables of a generation are made. It goes with the generation where a load dies. */
const textFile = ({ db }: BulkLoader, g: number): string => join(dirname(db.raw.name), `texts-${g}.tmp`);

export function removeTextFile(loader: BulkLoader, g: number): void {
  rmSync(textFile(loader, g), { force: true });
}

/** The full-text tables of a generation that is being built. */
interface LoadTexts {
  /** @param texts see `TextBuilder` */
  add(first: number, texts: readonly string[]): Promise<void>;
  /** Makes them whole, and attaches them to the loader's connection as `texts`. */
  finish(): Promise<void>;
}

/** Fewer items are indexed sooner than another thread has started. */
const ELSEWHERE_MIN = 50_000;

/**
 * Has the full-text tables of generation `g` built while `work` runs, and removes their file at its end.
 * @param items how many there are
 */
export async function withTexts<T>(
  loader: BulkLoader,
  g: number,
  items: number,
  work: (texts: LoadTexts) => Promise<T>,
): Promise<T> {
  const { db } = loader;
  const builder = (items < ELSEWHERE_MIN ? undefined : loader.builder) ?? makeTextBuilder();
  const file = textFile(loader, g);
  const build = await builder.beginTexts(file, g);
  let last: Promise<void> = Promise.resolve();
  try {
    return await work({
      async add(first, texts) {
        // One call ahead: while the builder indexes, the load goes on.
        await last;
        last = builder.addTexts(build, first, texts);
        // What fails is thrown by the next call.
        last.catch(() => undefined);
      },
      async finish() {
        await last;
        await builder.finishTexts(build);
        db.raw.prepare("ATTACH ? AS texts").run(file);
      },
    });
  } finally {
    await builder.endTexts(build);
    removeTextFile(loader, g);
  }
}
