import { BinderyError } from "../../core/errors.js";
import type { SearchAnswers } from "../../http/answers/search-answers.js";
import type { StreamAnswers } from "../../http/answers/stream-answers.js";
import type { Thread } from "../../services/context/use-case.js";
import { threadOfTerms } from "../../services/search/search-terms.js";
import { type Services, USE_CASES } from "../../services/use-cases.js";
import { type PackedError, packError, unpackError } from "../rpc/rpc.js";

/** The threads beside the one that answers HTTP. */
export type Remotes = Readonly<
  Record<Exclude<Thread, "http">, { call(name: string, args: readonly unknown[]): Promise<unknown>; waiting(): number }>
>;

/** What runs on one of the threads: services, and searches with the text of their answers and streams. */
export type Spread = Services & SearchAnswers & StreamAnswers;

type Table = {
  readonly [K in keyof Spread]: Thread | ((...args: Parameters<Spread[K]>) => Thread);
};

const threadsOfUseCases = Object.fromEntries(
  Object.entries(USE_CASES).flatMap(([name, declared]) =>
    declared.kind === "request" ? [[name, declared.thread]] : [],
  ),
) as unknown as Pick<Table, keyof Services>;

/** The thread of each service: use cases declare theirs, and answers follow the searches that they are made of. */
export const THREADS: Table = {
  ...threadsOfUseCases,
  answerRecordSearch: "search",
  answerTermSearch: (_actor, { parameters: { ids, request } }) => (ids === undefined ? threadOfTerms(request) : "http"),
  // A stream takes as long as its client, a slice at a time.
  openRecordStream: "loader",
  openTermStream: "loader",
  readStream: "loader",
  closeStream: "loader",
};

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
