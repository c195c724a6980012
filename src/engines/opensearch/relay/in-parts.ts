import type { ReadExtent, SourceView } from "../../../ports/index-source.js";

/** Records of which documents are made at once: their bodies, and what is made of these, are in memory. */
export const RECORDS_AT_ONCE: ReadExtent = { records: 50, bytes: 16 * 1024 * 1024 };

export const TERMS_AT_ONCE = 1_000;

export function* inParts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Ids in parts of which each is not too much to be read at once. */
export async function* inReadableParts(
  view: Pick<SourceView, "bytesOf">,
  ids: readonly string[],
  { records, bytes }: ReadExtent = RECORDS_AT_ONCE,
): AsyncGenerator<readonly string[]> {
  for (const some of inParts(ids, records)) {
    const bytesOf = await view.bytesOf(some);
    let part: string[] = [];
    let read = 0;
    for (const id of some) {
      const size = bytesOf.get(id) ?? 0;
      if (part.length > 0 && read + size > bytes) {
        yield part;
        [part, read] = [[], 0];
      }
      part.push(id);
      read += size;
    }
    yield part;
  }
}
