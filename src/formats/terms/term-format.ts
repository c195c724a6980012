import type { Vocabulary } from "../../core/catalog/types.js";
import type { Site } from "../../core/citable/citable.js";
import type { TermBody } from "../../core/terms/term-version.js";

/** A representation of terms. A format is one file of this folder; `term-formats.ts` lists them. */
export interface TermFormat {
  /** The value of `format=`. */
  readonly name: string;
  /** For lists that people read. */
  readonly title: string;
  readonly mediaType: string;
  /** Of a download. */
  readonly extension: string;
  /** A document of terms of one vocabulary. What the format is written with is loaded first. */
  begin(vocabulary: Vocabulary, site: Site): Promise<TermDocument>;
}

export interface TermDocument {
  /** What stands before all terms, with the vocabulary itself; and after them. */
  readonly open: string;
  readonly close: string;
  /** One of several terms. */
  write(term: TermBody): string;
  /** The whole document of a single term. */
  writeOnly(term: TermBody): string;
}
