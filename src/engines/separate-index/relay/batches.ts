import type { ReadExtent, SourceView } from "../../../ports/index-source.js";

/**
 * Maximum number of concurrent pieces of work: one is made by this process while the index processes the previous one.
 */
const CONCURRENT_MAX = 2;

/**
 * Begins each piece of work while the previous one is still running.
 * @param onDone called for each result in order, so that it can save the progress
 * @throws the first error, after all work has ended
 */
export async function overlap<T>(
  works: AsyncIterable<() => Promise<T>>,
  onDone: (result: T) => Promise<void> | void,
): Promise<void> {
  const running: Promise<T>[] = [];
  try {
    for await (const start of works) {
      const work = start();
      // An error is handled when the previous works are done.
      work.catch(() => undefined);
      running.push(work);
      if (running.length === CONCURRENT_MAX) await onDone(await running.shift()!);
    }
    while (running.length > 0) await onDone(await running.shift()!);
  } finally {
    await Promise.allSettled(running);
  }
}

/** Maximum number and size of records whose documents are made at once, because their bodies and data are in memory. */
export const RECORDS_AT_ONCE: ReadExtent = { records: 50, bytes: 16 * 1024 * 1024 };

/** Maximum number of terms whose documents are made at once. */
export const TERMS_AT_ONCE = 1_000;

/** Splits a list into parts of a size. */
export function* inParts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Splits ids into parts that are small enough to be read at once. */
export async function* inReadableParts(
  view: Pick<SourceView, "bodyBytes">,
  ids: readonly string[],
  { records, bytes }: ReadExtent = RECORDS_AT_ONCE,
): AsyncGenerator<readonly string[]> {
  for (const batch of inParts(ids, records)) {
    const bytesById = await view.bodyBytes(batch);
    let part: string[] = [];
    let partBytes = 0;
    for (const id of batch) {
      const size = bytesById.get(id) ?? 0;
      if (part.length > 0 && partBytes + size > bytes) {
        yield part;
        [part, partBytes] = [[], 0];
      }
      part.push(id);
      partBytes += size;
    }
    yield part;
  }
}
