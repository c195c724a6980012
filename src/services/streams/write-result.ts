import { startSlices } from "../../core/slices.js";
import type { OpenedResult } from "../api/streams.js";

/** A format of results: the text before, between and after the hits, and a function that writes one hit. */
export interface ResultWriter<Hit> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  write(hit: Hit): string | Promise<string>;
}

/** Length at which a piece of a result is sent, in UTF-16 units. */
const PIECE_LENGTH = 128 * 1024;

/**
 * Writes a result as pieces of text. Hits are read and written only when a piece is requested, and in slices, so that
 * the event loop can run other tasks in between.
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
