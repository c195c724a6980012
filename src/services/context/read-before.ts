/**
 * Reads a body before its transaction, so that the lock is not held meanwhile. What is wrong with it is thrown where it
 * is asked for: what an Idempotency-Key keeps, who may not write, and what is not there come first.
 *
 * @returns gives what was read, or throws
 */
export function readBefore<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
