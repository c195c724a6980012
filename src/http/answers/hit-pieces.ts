/** Pieces that the body of a search is put together of. */
import type { RecordHit, TermHit } from "../../services/api/search-services.js";
import type { AnswerMemory } from "./answer-memory.js";
import { withHighlight, withMember } from "./answer-text.js";

/** A text, or its UTF-8. */
export type Piece = string | Uint8Array;

type Hit = RecordHit | TermHit;

/** Whoever reads longer pages walks through everything, and sees no hit again. */
const KEPT_PAGE_MAX = 100;

/** A hit with its links. */
interface Linked {
  /** What they begin with. */
  readonly api: string;
  readonly bytes: Uint8Array;
}

/**
 * The hits of an answer with commas between them. The engine keeps those that were shown last, and here their UTF-8 is
 * kept for as long: most of the time of an answer would be spent on joining and encoding their texts again.
 *
 * @param link makes the text of a hit with its links. @returns for the base of links and the hits of a page
 */
export function makeHitPieces<H extends Hit>(link: (api: string, hit: H) => string) {
  const known = new WeakMap<H, Linked>();
  const pieceOf = (api: string, hit: H): Uint8Array => {
    const kept = known.get(hit);
    if (kept?.api === api) return kept.bytes;
    const bytes = Buffer.from(link(api, hit));
    known.set(hit, { api, bytes });
    return bytes;
  };
  return (api: string, hits: readonly H[]): readonly Piece[] => {
    const isKept = hits.length <= KEPT_PAGE_MAX;
    if (!isKept || hits.some(saysMore)) return [hits.map((hit) => withMore(link(api, hit), hit)).join(",")];
    return hits.flatMap((hit, i) => (i === 0 ? [pieceOf(api, hit)] : [COMMA, pieceOf(api, hit)]));
  };
}

const COMMA = Buffer.from(",");

/** Does it say something of this search? Such a hit is seen once. */
const saysMore = (hit: Hit): boolean => hit.highlight !== undefined || ("matched" in hit && hit.matched !== undefined);

function withMore(json: string, hit: Hit): string {
  const marked = withHighlight(json, hit.highlight);
  if (!("matched" in hit) || hit.matched === undefined) return marked;
  return withMember(marked, "matched", JSON.stringify(hit.matched));
}

export function joinPieces(pieces: readonly Piece[], memory: AnswerMemory): Uint8Array {
  const lengthOf = (piece: Piece): number => (typeof piece === "string" ? Buffer.byteLength(piece) : piece.length);
  const bytes = memory.take(pieces.reduce((sum, piece) => sum + lengthOf(piece), 0));
  const target = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += target.write(piece, at);
    else {
      target.set(piece, at);
      at += piece.length;
    }
  }
  return bytes;
}
