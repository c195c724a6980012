import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";

/** A snapshot that is not held for ever. */
interface Held {
  readonly snapshot: StoreSnapshot;
  /** @throws STORE_UNAVAILABLE where it was closed because it was held too long */
  check(): void;
  close(): void;
}

interface Open {
  readonly snapshot: StoreSnapshot;
  readonly since: number;
  endedBy?: string;
}

/** How often it is looked whether snapshots are held too long. */
const LOOK_MS = 1_000;

/**
 * Opens snapshots, and closes those that are held longer than `LIMITS.streamMsMax`, or while more than
 * `LIMITS.streamLogBytesMax` are written: whoever reads slowly holds up neither the disk nor those who write.
 */
export function makeHolding({ openSnapshot }: Pick<SearchIndex, "openSnapshot">): () => Promise<Held> {
  const open = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;
  const end = (held: Open): void => {
    if (!open.delete(held)) return;
    held.snapshot.close();
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    const now = performance.now();
    for (const held of [...open]) {
      if (now - held.since > LIMITS.streamMsMax) held.endedBy = "the result was read for too long";
      else if (held.snapshot.heldBytes() > LIMITS.streamLogBytesMax) held.endedBy = "too much was written meanwhile";
      if (held.endedBy !== undefined) end(held);
    }
  };
  return async () => {
    const held: Open = { snapshot: await openSnapshot(), since: performance.now() };
    open.add(held);
    timer ??= setInterval(look, LOOK_MS).unref();
    return {
      snapshot: held.snapshot,
      check() {
        if (held.endedBy !== undefined) throw fail("STORE_UNAVAILABLE", { reason: held.endedBy });
      },
      close: () => end(held),
    };
  };
}
