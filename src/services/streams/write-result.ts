import { startSlices } from "../../core/slices.js";
import type { OpenedResult } from "../api/stream-services.js";

/** How a result is written: what stands before, between and after its hits, and each of them. */
export interface ResultWriter<Hit> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  write(hit: Hit): string | Promise<string>;
}

/** A piece of a result is sent when it has so many UTF-16 units. */
const PIECE_LENGTH = 128 * 1024;

/**
 * A result as pieces of text. Hits are read and written only as pieces are taken, and no longer than a slice of time
 * without others having their turn.
 */
export async function* writeResult<Hit>(
  search: OpenedResult<Hit>,
  writer: ResultWriter<Hit>,
): AsyncGenerator<string, void> {
  const slices = startSlices();
  let text = writer.open;
  let isFirst = true;
  for (;;) {
    await slices.pause();
    const hits = await search.next();
    if (hits.length === 0) break;
    for (const hit of hits) {
      await slices.pause();
      const written = await writer.write(hit);
      text += isFirst ? written : writer.between + written;
      isFirst = false;
      if (text.length < PIECE_LENGTH) continue;
      yield text;
      text = "";
    }
  }
  yield text + writer.close;
}
