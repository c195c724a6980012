import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import type { Store } from "../../src/ports/store.js";

/** In UTF-16 units. A head is much shorter, a long record much longer. */
const LONG = 64 * 1024;

export interface WatchedLock {
  /** What was done inside of transactions that need not be: long texts parsed or written out, indexes prepared. */
  readonly work: string[];
  /** Number of transactions that began. */
  readonly transactions: () => number;
  release(): void;
}

/** Watches what is done while a store holds its write lock. @param before runs before each transaction begins */
export function watchLock(store: Store, before = async (): Promise<void> => undefined): WatchedLock {
  const held = new AsyncLocalStorage<true>();
  const work: string[] = [];
  const note = (what: string, text: string | undefined): void => {
    if (held.getStore() === true && text !== undefined && text.length > LONG) work.push(`${what} ${text.length}`);
  };
  const run = store.transaction;
  const transaction = vi.spyOn(store, "transaction").mockImplementation(async (inside) => {
    await before();
    return run((tx) => held.run(true, () => inside(tx)));
  });
  const prepareIndex = store.prepareIndex;
  vi.spyOn(store, "prepareIndex").mockImplementation((...args) => {
    if (held.getStore() === true) work.push("prepareIndex");
    return prepareIndex(...args);
  });
  const { parse, stringify } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    note("parse", text);
    return parse(text, reviver);
  });
  vi.spyOn(JSON, "stringify").mockImplementation((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    note("stringify", text);
    return text;
  });
  return { work, transactions: () => transaction.mock.calls.length, release: () => void vi.restoreAllMocks() };
}
