/**
 * Whole results of searches, as streams. They are made in the thread that reads them, piece after piece as these are
 * taken, so that a client that reads slowly makes nobody else wait and fills no memory.
 */
import { randomInt } from "node:crypto";
import type { Actor } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import { fail } from "../../core/errors.js";
import type { RecordSearchRequest } from "../../services/api/search-services.js";
import type { OpenedResult, StreamServices } from "../../services/api/stream-services.js";
import { type ResultWriter, writeResult } from "../../services/streams/write-result.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { recordWriter, termWriter } from "./result-writers.js";

/** A search whose whole result is wanted: plain data, which can be posted to another thread. */
export interface AskedStream<Parameters> {
  readonly site: Site;
  readonly parameters: Parameters;
  /** Name of one of `parameters/result-format`. */
  readonly format: string;
}

/** UTF-8, in memory of its own; absent at the end. */
interface StreamPiece {
  readonly bytes?: Uint8Array;
}

/** Streams by number, which are known to the thread that opened them. */
export interface StreamAnswers {
  /** What is wrong with a search is thrown here, before anything is sent. */
  openRecordStream(actor: Actor, asked: AskedStream<SearchParameters<RecordSearchRequest>>): Promise<number>;
  openTermStream(actor: Actor, asked: AskedStream<TermSearchParameters>): Promise<number>;
  readStream(stream: number): Promise<StreamPiece>;
  /** Whoever opened a stream closes it, also one that was read to its end. */
  closeStream(stream: number): Promise<void>;
}

interface Opened {
  /** Made when the stream was opened. */
  first: IteratorResult<string, void> | undefined;
  readonly pieces: AsyncGenerator<string, void>;
  close(): void;
}

const UTF8 = new TextEncoder();

export function makeStreamAnswers(services: StreamServices, catalog: Catalog): StreamAnswers {
  const streams = new Map<number, Opened>();
  // A thread that replaces this one must not know the streams of this one by other streams of the same numbers.
  let last = randomInt(2 ** 47);
  const open = async <Hit, Search extends OpenedResult<Hit>>(
    search: Search,
    writerOf: (search: Search) => ResultWriter<Hit> | Promise<ResultWriter<Hit>>,
  ): Promise<number> => {
    try {
      const pieces = writeResult(search, await writerOf(search));
      const first = await pieces.next();
      const stream = ++last;
      streams.set(stream, { first, pieces, close: search.close });
      return stream;
    } catch (error) {
      search.close();
      throw error;
    }
  };
  return {
    async openRecordStream(actor, asked) {
      const { request, ids } = asked.parameters;
      const result = await services.openRecordResult(actor, request, ids);
      return open(result, (search) => recordWriter(search, asked, catalog));
    },
    async openTermStream(actor, asked) {
      const { request, ids } = asked.parameters;
      return open(await services.openTermResult(actor, request, ids), () => termWriter(asked, catalog));
    },
    async readStream(stream) {
      const opened = streams.get(stream);
      // Not the end: what was read so far would pass for the whole result.
      if (opened === undefined) throw fail("STORE_UNAVAILABLE", { reason: "the thread of this result was replaced" });
      const piece = opened.first ?? (await opened.pieces.next());
      opened.first = undefined;
      return piece.done === true ? {} : { bytes: UTF8.encode(piece.value) };
    },
    async closeStream(stream) {
      streams.get(stream)?.close();
      streams.delete(stream);
    },
  };
}
