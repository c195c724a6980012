import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeAesSiv } from "./aes-siv.js";

const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");
const KEY = fromHex("fffefdfc fbfaf9f8 f7f6f5f4 f3f2f1f0 f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff");

const bytes = fc.uint8Array({ maxLength: 70 }).map((array) => Buffer.from(array));

describe("AES-SIV", () => {
  it("gives the bytes of RFC 5297, A.1", () => {
    const siv = makeAesSiv(KEY);
    const context = fromHex("10111213 14151617 18191a1b 1c1d1e1f 20212223 24252627");
    const text = fromHex("11223344 55667788 99aabbcc ddee");
    const sealed = siv.seal(context, text);
    expect(sealed).toEqual(fromHex("85632d07 c6e8f37f 950acd32 0a2ecc93 40c02b96 90c4dc04 daef7f6a fe5c"));
    expect(siv.open(context, sealed)).toEqual(text);
  });

  it("gives the bytes of the Python library cryptography for a key of 64 bytes and a text of several blocks", () => {
    const counted = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, n) => n));
    expect(makeAesSiv(counted(64)).seal(Buffer.from("3 records newest"), counted(70))).toEqual(
      fromHex(
        "a417590e6176e8ecec34c27ec2d036af 1b599d04ee39d45b4d01a66b514c07ac a193b035d18fe46cc7454a6d9def0b4d" +
          "b41f3c768bb37fa3f06200fd14cca40b efa31433cca16c06999f8d5e9b19329a 06f28caa1265",
      ),
    );
  });

  it("opens texts of any length, whatever was sealed before", () => {
    const used = makeAesSiv(KEY);
    fc.assert(
      fc.property(bytes, bytes, (context, text) => {
        const sealed = used.seal(context, text);
        expect(makeAesSiv(KEY).seal(context, text)).toEqual(sealed);
        expect(used.open(context, sealed)).toEqual(text);
      }),
    );
  });

  it("refuses changed bytes and other contexts", () => {
    const siv = makeAesSiv(KEY);
    fc.assert(
      fc.property(bytes, bytes, fc.nat(), fc.nat(7), (context, text, at, bit) => {
        const sealed = siv.seal(context, text);
        expect(siv.open(Buffer.concat([context, Buffer.of(0)]), sealed)).toBeUndefined();
        expect(siv.open(context, sealed.subarray(1))).toBeUndefined();
        sealed[at % sealed.length]! ^= 1 << bit;
        expect(siv.open(context, sealed)).toBeUndefined();
      }),
    );
  });
});
