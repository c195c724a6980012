import type { Vocabulary } from "../../core/catalog/types.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermLine } from "../../ports/store.js";
import type { Unreadable } from "../api/import-services.js";
import { checkPatch } from "../rules/check-patch.js";
import { checkTerm } from "../rules/check-term.js";
import { SeenIds } from "./seen-ids.js";

/** Reasons that one item is refused for, which are said; the others are only counted. */
const REASONS_MAX = 20;

export function joinReasons(reasons: readonly string[]): string {
  const more = reasons.length - REASONS_MAX;
  return [...reasons.slice(0, REASONS_MAX), ...(more > 0 ? [`and ${more} more problems`] : [])].join("; ");
}

/** Checks the documents of one file in turn. @param isPatch may they leave out what is to stay as it is? */
export function makeLineCheck(
  vocabulary: Vocabulary,
  isPatch: boolean,
): (document: FileDocument) => TermLine | Unreadable {
  const seen = new SeenIds();
  return (document) => {
    if ("reason" in document) return document;
    const { line, value } = document;
    const read = isPatch ? checkPatch(vocabulary, value) : checkTerm(vocabulary, value);
    if (read.reasons !== undefined) return { line, reason: joinReasons(read.reasons) };
    const { id } = "patch" in read ? read.patch : read.content;
    const before = seen.add(id, line);
    if (before !== undefined) return { line, reason: `"${id}" is already on line ${before}` };
    if (!("patch" in read)) return { line, content: read.content };
    const { patch, alone } = read;
    return alone === undefined ? { line, patch } : { line, patch, alone };
  };
}
