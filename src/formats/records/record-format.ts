import type { Citable, Site } from "../../core/citable/citable.js";

/** A representation of a record. A format is one file of this folder; `formats.ts` lists them. */
export interface RecordFormat {
  /** `bibtex`: the last part of /records/<id>/export/<name>, and the value of `format=`. */
  readonly name: string;
  /** For lists that people read. */
  readonly title: string;
  readonly mediaType: string;
  /** Further media types that mean this format. */
  readonly alsoAsked?: readonly string[];
  /** File extension of a download: `<id>.<extension>`. */
  readonly extension: string;
  /** The specification that an answer follows (`profile` and `formats` of links). */
  readonly profile?: string;
  /** How several records are joined into one document of this format; absent if it is only for single records. */
  readonly join?: DocumentJoin;
  /** Writes the record as text. Never throws: what a record lacks is left out. */
  write(record: Citable, site: Site): string;
}

/** Text around and between records. */
interface DocumentJoin {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** Whether it is also around a single record. */
  readonly isAlways?: true;
}

/** Writes the document of one record. */
export function writeOne(format: RecordFormat, record: Citable, site: Site): string {
  const text = format.write(record, site);
  return format.join?.isAlways ? `${format.join.open}${text}${format.join.close}` : text;
}

/**
 * Returns a text on one line. Controls count as blanks: some readers end a line at NEL (U+0085) or at a separator of
 * files (U+001C to U+001E). Halves of surrogates are replaced, because they are not text.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd").replaceAll(/[\s\p{Cc}]+/gu, " ");
}
