import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Text } from "./body.js";

const decode = (chunks: readonly Uint8Array[], pieceBytes?: number): string | undefined => {
  const text = new Utf8Text(pieceBytes);
  for (const chunk of chunks) text.append(Buffer.from(chunk));
  return text.end();
};

/** Cuts bytes at places, which may be within characters. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

const PLACES = fc.array(fc.nat(), { maxLength: 6 });
const PIECES = fc.nat(20);

it("decodes a text whose bytes are cut anywhere", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), PLACES, PIECES, (text, places, pieceBytes) => {
      expect(decode(cut(Buffer.from(text), places), pieceBytes)).toBe(text.toWellFormed());
    }),
  );
});

it("refuses bytes that are not UTF-8, wherever they are cut", () => {
  const near = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(near, fc.nat(255)), { maxLength: 12 }),
      PLACES,
      PIECES,
      (numbers, places, pieceBytes) => {
        const bytes = Buffer.from(numbers);
        expect(decode(cut(bytes, places), pieceBytes) !== undefined).toBe(isUtf8(bytes));
      },
    ),
    { numRuns: 2_000 },
  );
});
