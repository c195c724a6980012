import type { TermContent } from "../../core/term.js";

/** An item as it is, of which only what tells whether it changes is read at once. */
export interface CurrentItem {
  /** Digest of its content, in hex. */
  readonly hash: string;
  readonly parent: string | null;
  readonly isDeprecated: boolean;
  /** Bits of the sources that have it. */
  readonly sources: number;
  content(): TermContent;
}
