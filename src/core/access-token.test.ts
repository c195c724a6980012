import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf, isToken, makeToken, TOKEN_BYTES } from "./access-token.js";
import { crc32 } from "./crc32.js";

const bytes = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES });

it("knows the tokens that it makes", () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const token = makeToken(random);
      expect(token).toMatch(/^bnd_[0-9A-Za-z]{39}$/);
      expect(isToken(token)).toBe(true);
    }),
  );
});

it("makes another token from other bytes", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(makeToken(a) === makeToken(b)).toBe(Buffer.compare(a, b) === 0);
    }),
  );
});

it("knows a token that was changed, cut or lengthened", () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 4, max: 42 }), fc.constantFrom(..."09AZaz"), (random, at, letter) => {
      const token = makeToken(random);
      if (token[at] !== letter) expect(isToken(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
      expect(isToken(token.slice(0, at))).toBe(false);
      expect(isToken(token + letter)).toBe(false);
    }),
  );
});

it("keeps the SHA-256 of a token", () => {
  expect(digestOf("bnd_x")).toBe(createHash("sha256").update("bnd_x").digest("hex"));
});

it("computes the usual CRC-32", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});
