/** Why a dump cannot be read on: from this place, nothing after it can. */
export class DumpError extends Error {
  override readonly name = "DumpError";

  /**
   * @param message says what is wrong and the cure
   * @param part file of the dump; absent: it as a whole
   * @param line from 1
   */
  constructor(
    message: string,
    readonly part?: string,
    readonly line?: number,
  ) {
    super(message);
  }
}
