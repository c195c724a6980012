import type { Vocabulary } from "../../core/catalog/types.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermLine } from "../../ports/store.js";
import type { Unreadable } from "../api/imports.js";
import { checkPatch } from "../rules/check-patch.js";
import { checkTerm } from "../rules/check-term.js";

/** Maximum number of reasons that are listed for a refused term; the others are only counted. */
const REASONS_MAX = 20;

/** Joins the reasons for which a term is refused. */
export function joinReasons(reasons: readonly string[]): string {
  const more = reasons.length - REASONS_MAX;
  return [...reasons.slice(0, REASONS_MAX), ...(more > 0 ? [`and ${more} more problems`] : [])].join("; ");
}

/** Returns a function that checks the documents of one file. @param isPatch whether they may have only the changes */
export function makeLineCheck(
  vocabulary: Vocabulary,
  isPatch: boolean,
): (document: FileDocument) => TermLine | Unreadable {
  const seenIds = new SeenIds();
  return (document) => {
    if ("reason" in document) return document;
    const { line, value } = document;
    const verdict = isPatch ? checkPatch(vocabulary, value) : checkTerm(vocabulary, value);
    if (verdict.reasons !== undefined) return { line, reason: joinReasons(verdict.reasons) };
    const { id } = "patch" in verdict ? verdict.patch : verdict.content;
    const firstLine = seenIds.add(id, line);
    if (firstLine !== undefined) return { line, reason: `"${id}" is already on line ${firstLine}` };
    if (!("patch" in verdict)) return { line, content: verdict.content };
    const { patch, alone } = verdict;
    return { line, patch, alone };
  };
}

/** Initial number of slots. The table doubles when it is two thirds full. */
const SLOTS_MIN = 1024;

/**
 * A table of ids and their lines with twelve bytes per id, because an import may have millions of ids. It keeps only a
 * 64-bit hash of an id: two of ten million ids have the same hash with a probability of three in a million.
 */
export class SeenIds {
  private count = 0;
  private slots = SLOTS_MIN;
  /** Two halves of the hash and the line per slot; line 0 is an empty slot. */
  private table = new Uint32Array(SLOTS_MIN * 3);

  /** Returns the line of an id that was added before. Otherwise adds it with `line` (from 1) and returns undefined. */
  add(id: string, line: number): number | undefined {
    if (this.count * 3 > this.slots * 2) this.grow();
    const [high, low] = hash(id);
    const at = this.find(high, low);
    const earlierLine = this.table[at + 2]!;
    if (earlierLine > 0) return earlierLine;
    this.put(at, high, low, line);
    return undefined;
  }

  private find(high: number, low: number): number {
    let slot = low & (this.slots - 1);
    for (;;) {
      const at = slot * 3;
      const isFree = this.table[at + 2] === 0;
      if (isFree || (this.table[at] === high && this.table[at + 1] === low)) return at;
      slot = (slot + 1) & (this.slots - 1);
    }
  }

  private put(at: number, high: number, low: number, line: number): void {
    this.table[at] = high;
    this.table[at + 1] = low;
    this.table[at + 2] = line;
    this.count++;
  }

  private grow(): void {
    const old = this.table;
    this.slots *= 2;
    this.table = new Uint32Array(this.slots * 3);
    this.count = 0;
    for (let at = 0; at < old.length; at += 3) {
      const [high, low, line] = [old[at]!, old[at + 1]!, old[at + 2]!];
      if (line > 0) this.put(this.find(high, low), high, low, line);
    }
  }
}

/** Returns the two 32-bit halves of a hash: cyrb53 by bryc (public domain), without the final reduction to 53 bits. */
function hash(text: string): [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
