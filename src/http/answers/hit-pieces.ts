/** Pieces that the body of a search is put together of. */
import type { RecordHit, TermHit } from "../../services/api/search-services.js";
import type { AnswerMemory } from "./answer-memory.js";
import { withHighlight, withMember } from "./answer-text.js";

/** A text, or its UTF-8. */
export type Piece = string | Uint8Array;

type Hit = RecordHit | TermHit;

/** A hit with its links. */
interface Linked {
  /** What they begin with. */
  readonly api: string;
  readonly bytes: Uint8Array;
}

/**
 * The hits of an answer. The engine keeps those that were shown last, and here their UTF-8 is kept for as long: most of
 * the time of an answer would be spent on joining and encoding their texts again.
 *
 * @param link makes the text of a hit with its links. @returns for the base of links and the hits of a page
 */
export function makeHitPieces<H extends Hit>(link: (api: string, hit: H) => string) {
  const known = new WeakMap<H, Linked>();
  const pieceOf = (api: string, hit: H): Piece => {
    // What is marked in a hit is seen once.
    if (hit.highlight !== undefined) return withMore(link(api, hit), hit);
    const kept = known.get(hit);
    if (kept?.api === api) return kept.bytes;
    const bytes = Buffer.from(withMore(link(api, hit), hit));
    known.set(hit, { api, bytes });
    return bytes;
  };
  return (api: string, hits: readonly H[]): readonly Piece[] => hits.map((hit) => pieceOf(api, hit));
}

function withMore(json: string, hit: Hit): string {
  const marked = withHighlight(json, hit.highlight);
  if (!("matched" in hit) || hit.matched === undefined) return marked;
  return withMember(marked, "matched", JSON.stringify(hit.matched));
}

const COMMA = 0x2c;

/** A text, the hits with commas between them, and another text. */
export function joinPieces(head: string, hits: readonly Piece[], tail: string, memory: AnswerMemory): Uint8Array {
  const lengthOf = (piece: Piece): number => (typeof piece === "string" ? Buffer.byteLength(piece) : piece.length);
  let length = lengthOf(head) + lengthOf(tail) + Math.max(0, hits.length - 1);
  for (const hit of hits) length += lengthOf(hit);
  const bytes = memory.take(length);
  const target = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = target.write(head);
  for (const [i, hit] of hits.entries()) {
    if (i > 0) target[at++] = COMMA;
    if (typeof hit === "string") at += target.write(hit, at);
    else {
      target.set(hit, at);
      at += hit.length;
    }
  }
  target.write(tail, at);
  return bytes;
}
