/**
 * Messages of one turn of the event loop, sent together: between threads, a message with many calls or replies costs
 * little more than a message with one.
 */
export interface Batch<T> {
  add(item: T): void;
  /** Sends what was added, now. @param afterMs unless the first of it was added more recently than that */
  flush(afterMs?: number): void;
  /** Forgets what was added. */
  drop(): void;
}

/**
 * @param send is called at the end of the turn, with at least one item. Where it throws, each item is sent by itself
 * @param refuse hears of an item that cannot be sent by itself either
 */
export function makeBatch<T>(send: (items: readonly T[]) => void, refuse: (item: T, error: unknown) => void): Batch<T> {
  let items: T[] = [];
  let since = 0;
  const sendOne = (item: T): void => {
    try {
      send([item]);
    } catch (error) {
      refuse(item, error);
    }
  };
  const flush = (afterMs = 0): void => {
    if (items.length === 0 || (afterMs > 0 && performance.now() - since < afterMs)) return;
    const added = items;
    items = [];
    try {
      send(added);
    } catch {
      for (const item of added) sendOne(item);
    }
  };
  return {
    add(item) {
      if (items.push(item) > 1) return;
      since = performance.now();
      setImmediate(flush);
    },
    flush,
    drop() {
      items = [];
    },
  };
}
