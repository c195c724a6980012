import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBody } from "../../core/sent-body.js";
import { BodyBytes } from "./body.js";

/** Reads chunks as a body. Bodies of more than `textBytesMax` bytes stay bytes in shared memory. */
function read(chunks: readonly Uint8Array[], textBytesMax: number): string {
  const bytes = new BodyBytes(1_000, textBytesMax);
  for (const chunk of chunks) bytes.append(Buffer.from(chunk));
  const body = bytes.end();
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  expect(typeof body !== "string" && body.buffer instanceof SharedArrayBuffer).toBe(length > textBytesMax);
  return decodeBody(body);
}

/** Cuts bytes at places, which may be within characters. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

const PLACES = fc.array(fc.nat(), { maxLength: 6 });
/** Bodies are sometimes longer. */
const TEXT_BYTES_MAX = fc.nat(40);

it("decodes a text whose bytes are cut anywhere", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), PLACES, TEXT_BYTES_MAX, (text, places, textBytesMax) => {
      expect(read(cut(Buffer.from(text), places), textBytesMax)).toBe(text.toWellFormed().replace(/^\ufeff/u, ""));
    }),
  );
});

it("refuses bytes that are not UTF-8, wherever they are cut", () => {
  const near = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(near, fc.nat(255)), { maxLength: 12 }),
      PLACES,
      TEXT_BYTES_MAX,
      (numbers, places, textBytesMax) => {
        const bytes = Buffer.from(numbers);
        const chunks = cut(bytes, places);
        if (isUtf8(bytes)) read(chunks, textBytesMax);
        else expect(() => read(chunks, textBytesMax)).toThrow("not valid UTF-8");
      },
    ),
    { numRuns: 2_000 },
  );
});

it("decodes no body of which only the beginning came", () => {
  const bytes = new BodyBytes(10, 4);
  bytes.append(Buffer.from("abcdef"));
  bytes.clear();
  expect(bytes.end()).toBe("");
});
