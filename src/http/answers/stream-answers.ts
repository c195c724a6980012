/**
 * Whole results of searches, as streams. The loader thread makes a piece when the client takes it, so a slow client
 * neither delays other requests nor fills memory.
 */
import { randomInt } from "node:crypto";
import type { Actor } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import { fail } from "../../core/errors.js";
import { startSlices } from "../../core/slices.js";
import type { OpenedResult, RecordSearchRequest, StreamServices } from "../../services/api/searches.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { recordWriter, termWriter } from "./result-writers.js";

/** Call for the whole result of a search: plain data, which can be posted to another thread. */
export interface StreamCall<Parameters> {
  readonly site: Site;
  readonly parameters: Parameters;
  /** Name of a format of `parameters/result-format`. */
  readonly format: string;
  /** Address of the request, and its time, ISO 8601 UTC. */
  readonly address: string;
  readonly time: string;
}

interface StreamPiece {
  /** UTF-8, in memory of its own; absent at the end. */
  readonly bytes?: Uint8Array;
}

/** Streams by number. Only the thread that opened a stream can read it. */
export interface StreamAnswers {
  /** Opens a stream. @returns its number. @throws the errors of the search, before anything is sent */
  openRecordStream(actor: Actor, call: StreamCall<SearchParameters<RecordSearchRequest>>): Promise<number>;
  openTermStream(actor: Actor, call: StreamCall<TermSearchParameters>): Promise<number>;
  readStream(stream: number): Promise<StreamPiece>;
  /** Closes a stream. Must be called for each opened stream, even if it was read to its end. */
  closeStream(stream: number): Promise<void>;
}

interface OpenStream {
  /** First piece, made when the stream was opened; undefined once it was read. */
  first: IteratorResult<Uint8Array, void> | undefined;
  readonly pieces: AsyncGenerator<Uint8Array, void>;
  close(): void;
}

const UTF8 = new TextEncoder();

/** Creates the streams of the thread that reads them. */
export function makeStreamAnswers(services: StreamServices, catalog: Catalog): StreamAnswers {
  const streams = new Map<number, OpenStream>();
  // The numbers begin at random, so that a thread that replaces this one does not reuse the numbers of its streams.
  let lastNumber = randomInt(2 ** 47);
  const openStream = async <Hit, Search extends OpenedResult<Hit>>(
    search: Search,
    writerOf: (search: Search) => ResultWriter<Hit> | Promise<ResultWriter<Hit>>,
  ): Promise<number> => {
    try {
      const pieces = writeResult(search, await writerOf(search));
      const first = await pieces.next();
      const stream = ++lastNumber;
      streams.set(stream, { first, pieces, close: search.close });
      return stream;
    } catch (error) {
      search.close();
      throw error;
    }
  };
  return {
    async openRecordStream(actor, call) {
      const { request, ids } = call.parameters;
      const result = await services.openRecordResult(actor, request, ids);
      return openStream(result, (search) => recordWriter(search, call, catalog));
    },
    async openTermStream(actor, call) {
      const { request, ids } = call.parameters;
      return openStream(await services.openTermResult(actor, request, ids), () => termWriter(call, catalog));
    },
    async readStream(stream) {
      const entry = streams.get(stream);
      // An end here would make the part that was read look like the whole result.
      if (entry === undefined) throw fail("STORE_UNAVAILABLE", { reason: "the thread of this result was replaced" });
      const piece = entry.first ?? (await entry.pieces.next());
      entry.first = undefined;
      return piece.done === true ? {} : { bytes: piece.value };
    },
    async closeStream(stream) {
      streams.get(stream)?.close();
      streams.delete(stream);
    },
  };
}

/** A format of results: the text before, between and after the hits, and a function that writes one hit. */
export interface ResultWriter<Hit> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  write(hit: Hit): string | Promise<string>;
  /** Turns a piece of the text into bytes. Default: UTF-8. @param isLast whether the text ends with it */
  pack?(text: string, isLast: boolean): Uint8Array;
}

/** Length at which a piece of a result is sent, in UTF-16 units. */
const PIECE_LENGTH = 128 * 1024;

/**
 * Writes a result as pieces of bytes. Hits are read and written only when a piece is requested, and in slices, so that
 * the event loop can run other tasks in between.
 */
async function* writeResult<Hit>(
  search: OpenedResult<Hit>,
  writer: ResultWriter<Hit>,
): AsyncGenerator<Uint8Array, void> {
  const pack = writer.pack ?? ((piece) => UTF8.encode(piece));
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
      yield pack(text, false);
      text = "";
    }
  }
  yield pack(text + writer.close, true);
}
