import { BinderyError } from "../../core/errors.js";
import type { SearchAnswers } from "../../http/answers/search-answers.js";
import type { StreamAnswers } from "../../http/answers/stream-answers.js";
import type { Thread } from "../../services/context/use-case.js";
import { threadOfTerms } from "../../services/search/search-terms.js";
import { type Services, USE_CASES } from "../../services/use-cases.js";
import { type PackedError, packError, unpackError } from "../rpc/rpc.js";

/** The threads that run services for the one that answers HTTP. */
export type WorkerThreads = Readonly<
  Record<Exclude<Thread, "http">, { call(name: string, args: readonly unknown[]): Promise<unknown>; waiting(): number }>
>;

/** The functions that are dispatched to threads: services, and searches that return the text of answers and streams. */
export type DispatchedServices = Services & SearchAnswers & StreamAnswers;

type Table = {
  readonly [K in keyof DispatchedServices]: Thread | ((...args: Parameters<DispatchedServices[K]>) => Thread);
};

const threadsOfUseCases = Object.fromEntries(
  Object.entries(USE_CASES).flatMap(([name, useCase]) => (useCase.kind === "request" ? [[name, useCase.thread]] : [])),
) as unknown as Pick<Table, keyof Services>;

/** The thread of each service. Use cases declare theirs, and answers run on the thread of their search. */
export const THREADS: Table = {
  ...threadsOfUseCases,
  answerRecordSearch: "search",
  answerTermSearch: (_actor, { parameters: { ids, request } }) => (ids === undefined ? threadOfTerms(request) : "http"),
  // A stream is read in slices, as fast as its client takes them.
  openRecordStream: "loader",
  openTermStream: "loader",
  readStream: "loader",
  closeStream: "loader",
};

/** Returns STORE_DAMAGED if a damaged value may have caused an error, else the error itself. */
async function explainError(error: unknown, { loader }: WorkerThreads): Promise<unknown> {
  try {
    const damage = (await loader.call("findDamage", [packError(error)])) as PackedError | undefined;
    return damage === undefined ? error : unpackError(damage);
  } catch {
    return error;
  }
}

/** Returns all services, each of which runs on its thread of `THREADS`. @param onDamage receives each STORE_DAMAGED */
export function dispatchServices(
  local: DispatchedServices,
  threads: WorkerThreads,
  onDamage: (error: BinderyError) => void = () => undefined,
): DispatchedServices {
  const services = Object.entries(THREADS).map(([name, thread]) => {
    const method = local[name as keyof DispatchedServices] as (...args: unknown[]) => Promise<unknown>;
    const chooseThread = (typeof thread === "function" ? thread : () => thread) as (...args: unknown[]) => Thread;
    const run = async (...args: unknown[]): Promise<unknown> => {
      const target = chooseThread(...args);
      try {
        return await (target === "http" ? method(...args) : threads[target].call(name, args));
      } catch (error) {
        const cause = error instanceof BinderyError ? error : await explainError(error, threads);
        if (cause instanceof BinderyError && cause.code === "STORE_DAMAGED") onDamage(cause);
        throw cause;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(services) as DispatchedServices;
}
