/** Declarations of use cases: signature, implementation and thread in one place. */
import type { Deps } from "./deps.js";

/**
 * A thread of the server that runs use cases:
 * - `http` answers requests. Only quick reads run here (by id, pages of a vocabulary in its own order): no search and
 *   no write may block it.
 * - `search` runs what takes about as long as a search.
 * - `pages` validates large bodies, and exports large records.
 * - `loader` runs what takes longer than a search, in slices.
 * - `writer` runs all writes. It has long bodies prepared by another thread.
 */
export type Thread = "http" | "search" | "pages" | "loader" | "writer";

/** An asynchronous function. Its arguments and its result are plain values that can be posted to another thread. */
type Run = (...args: never[]) => Promise<unknown>;

/** A use case that requests call. Its first parameter is usually the actor, whose rights it checks. */
interface UseCase<R extends Run = Run> {
  readonly kind: "request";
  /** The thread that runs it, or a function that chooses the thread by the arguments. */
  readonly thread: Thread | ((...args: Parameters<R>) => Thread);
  readonly make: (deps: Deps) => R;
}

/** A use case of the command line, which is trusted: a user who can open the data folder is the operator. */
interface OperatorUseCase<R extends Run = Run> {
  readonly kind: "operator";
  readonly make: (deps: Deps) => R;
}

/**
 * Declares a use case that requests call. `services/use-cases.ts` collects the exports of the service files, so a new
 * use case needs nothing but its declaration and a route.
 * @param make creates the function over a store and an index; it must not compile or read anything
 */
export function useCase<R extends Run>({ thread }: Pick<UseCase<R>, "thread">, make: (deps: Deps) => R): UseCase<R> {
  return { kind: "request", thread, make };
}

/** Declares a use case of the command line. */
export function operatorUseCase<R extends Run>(make: (deps: Deps) => R): OperatorUseCase<R> {
  return { kind: "operator", make };
}

/** Returns the declarations among the exports of service files. */
export function useCasesIn<Exports extends object>(exports: Exports): DeclaredIn<Exports> {
  const entries = Object.entries(exports).filter(([, value]) => isUseCase(value));
  return Object.fromEntries(entries) as DeclaredIn<Exports>;
}

function isUseCase(value: unknown): boolean {
  return typeof value === "object" && value !== null && "make" in value && "kind" in value;
}

/** The declarations among the exports of service files. */
type DeclaredIn<Exports> = {
  readonly [K in keyof Exports as Exports[K] extends { readonly kind: "request" | "operator" } ? K : never]: Exports[K];
};

/** The functions of the use cases of one kind, by their names. */
export type RunsOf<Declared, Kind extends "request" | "operator"> = {
  readonly [K in keyof Declared as Declared[K] extends { readonly kind: Kind } ? K : never]: Declared[K] extends {
    make(deps: Deps): infer R;
  }
    ? R
    : never;
};
