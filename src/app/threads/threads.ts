import { BinderyError } from "../../core/errors.js";
import { LARGE_LENGTH } from "../../core/limits.js";
import type { SearchAnswers } from "../../http/answers/search-answers.js";
import type { StreamAnswers } from "../../http/answers/stream-answers.js";
import type { TermSearchRequest } from "../../services/api/search-services.js";
import type { Services } from "../../services/api/services.js";
import type { EngineRole } from "../composition/engine-role.js";
import { type PackedError, packError, unpackError } from "../rpc/rpc.js";

/** A thread of the server that answers requests. */
type Thread = Exclude<EngineRole, "command" | "setup" | "reader" | "admin" | "relay" | "indexer">;

/** The threads beside the one that answers HTTP. */
export type Remotes = Readonly<
  Record<Exclude<Thread, "http">, { call(name: string, args: readonly unknown[]): Promise<unknown>; waiting(): number }>
>;

/** What runs on one of the threads: services, and searches with the text of their answers and streams. */
export type Spread = Services & SearchAnswers & StreamAnswers;

type Table = {
  readonly [K in keyof Spread]: Thread | ((...args: Parameters<Spread[K]>) => Thread);
};

/** Larger pages take long enough to be answered beside the HTTP thread. */
const PLAIN_PAGE_MAX = 100;

/** Larger pages take longer than any search. */
const SEARCH_PAGE_MAX = 1_000;

/**
 * Which service runs on which thread. What is quick (ids, pages of a vocabulary in its own order) stays on the thread
 * that answers HTTP, which no search and no write may block; what takes longer than a search is kept out of the way of
 * searches too. A write runs in the writer, which has long bodies prepared by a thread of its own.
 */
export const THREADS: Table = {
  authenticate: "http",
  modelOf: "http",
  readRecord: "http",
  // They parse the whole body.
  exportRecord: (_actor, _address, { mayBeLarge }) => (mayBeLarge ? "pages" : "search"),
  exportDraft: (_actor, _address, { mayBeLarge }) => (mayBeLarge ? "pages" : "search"),
  readLatest: "http",
  listVersions: "http",
  readDraft: "http",
  checkAccess: "http",
  listGrants: "http",
  listOwnTokens: "http",
  readTerm: "http",
  readTermHistory: "http",
  countBelow: "search",
  fetchTerms: "http",
  // It reads the term; a thread of its own draws (`start-drawing.ts`).
  drawStructure: "http",
  // It counts stale records.
  listVocabularies: "search",
  readChanges: "http",
  readChangeHead: "http",
  awaitChange: "http",
  checkReady: "http",
  listIndexes: "http",
  searchRecords: "search",
  countRecords: "search",
  fetchRecords: "search",
  answerRecordSearch: "search",
  searchTerms: (_actor, request) => threadOfTerms(request),
  answerTermSearch: (_actor, { parameters: { ids, request } }) => (ids === undefined ? threadOfTerms(request) : "http"),
  readQueryText: "search",
  // It waits for somebody else, and looks up what is loaded.
  searchAuthority: "search",
  // They take as long as their clients, a slice at a time.
  openRecordStream: "loader",
  openTermStream: "loader",
  readStream: "loader",
  closeStream: "loader",
  // It looks terms up as a search does, and costs as much.
  validateRecord: (_actor, _model, body) => (body.length > LARGE_LENGTH ? "pages" : "search"),
  createDraft: "writer",
  replaceDraft: "writer",
  deleteDraft: "writer",
  publishDraft: "writer",
  editRecord: "writer",
  createVersion: "writer",
  retractRecord: "writer",
  // It looks for items that are alike.
  validateTerm: "search",
  createTerm: "writer",
  replaceTerm: "writer",
  patchTerm: "writer",
  mergeTerm: "writer",
  confirmTerm: "writer",
  deleteTerm: "writer",
  putGrant: "writer",
  deleteGrant: "writer",
  createOwnToken: "writer",
  revokeOwnToken: "writer",
  noteRefusals: "writer",
  touchToken: "writer",
};

function threadOfTerms(request: TermSearchRequest): Thread {
  const { q, suggest, filters, facetSize, ancestor, confirmed, window } = request;
  if (window.size > SEARCH_PAGE_MAX) return "loader";
  const isFiltered = Object.keys(filters).length > 0 || ancestor !== undefined || confirmed !== undefined;
  const isPlain = !q?.trim() && !suggest?.trim() && !isFiltered;
  return isPlain && facetSize === 0 && window.size <= PLAIN_PAGE_MAX ? "http" : "search";
}

/** Returns STORE_DAMAGED if a damaged value may have caused an error, else the error itself. */
async function explainError(error: unknown, { loader }: Remotes): Promise<unknown> {
  try {
    const damage = (await loader.call("findDamage", [packError(error)])) as PackedError | undefined;
    return damage === undefined ? error : unpackError(damage);
  } catch {
    return error;
  }
}

/** All services, each run where the table says. @param onDamage hears what turned out to be damaged */
export function spreadServices(
  local: Spread,
  remotes: Remotes,
  onDamage: (error: BinderyError) => void = () => undefined,
): Spread {
  const spread = Object.entries(THREADS).map(([name, thread]) => {
    const method = local[name as keyof Spread] as (...args: unknown[]) => Promise<unknown>;
    const choose = (typeof thread === "function" ? thread : () => thread) as (...args: unknown[]) => Thread;
    const run = async (...args: unknown[]): Promise<unknown> => {
      const chosen = choose(...args);
      try {
        return await (chosen === "http" ? method(...args) : remotes[chosen].call(name, args));
      } catch (error) {
        const cause = error instanceof BinderyError ? error : await explainError(error, remotes);
        if (cause instanceof BinderyError && cause.code === "STORE_DAMAGED") onDamage(cause);
        throw cause;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(spread) as Spread;
}
