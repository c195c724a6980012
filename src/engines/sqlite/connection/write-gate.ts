import { type BinderyError, isFileDamage } from "../../../core/errors.js";

/**
 * Refuses every write once the file is known to be damaged: writing on may destroy what can still be read. All
 * connections of a writer share one.
 */
export interface WriteGate {
  /** @throws the reason why it was closed */
  check(): void;
  /** Closes it for as long as the store is open. */
  close(reason: BinderyError): void;
  /** Closes it where the error says that the file is damaged. */
  note(error: unknown): void;
}

export function makeWriteGate(): WriteGate {
  let closedBy: BinderyError | undefined;
  const close = (reason: BinderyError): void => {
    closedBy ??= reason;
  };
  return {
    check: () => {
      if (closedBy !== undefined) throw closedBy;
    },
    close,
    note: (error) => {
      if (isFileDamage(error)) close(error);
    },
  };
}

/** Of a repair, which writes because the file is damaged. */
export const OPEN_GATE: WriteGate = { check: () => undefined, close: () => undefined, note: () => undefined };
