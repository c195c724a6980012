import fc from "fast-check";
import { expect, it } from "vitest";
import { makeRecordId, parseRecordId, RECORD_ID_BYTES } from "./record.js";

const bytes = fc.uint8Array({ minLength: RECORD_ID_BYTES, maxLength: RECORD_ID_BYTES });

it("accepts the ids that the contract gives as examples", () => {
  expect(parseRecordId("zv0gv-btp27")).toBe("zv0gv-btp27");
  expect(parseRecordId("fy6g2-hh950")).toBe("fy6g2-hh950");
});

it("reads ids in any case and refuses other letters", () => {
  expect(parseRecordId("ZV0GV-btP27")).toBe("zv0gv-btp27");
  expect(parseRecordId("zv0gvbtp27")).toBeUndefined();
  expect(parseRecordId("zv0gv-btp27 ")).toBeUndefined();
  expect(parseRecordId("lv0gv-btp27")).toBeUndefined();
});

it("makes ids that it reads, from any random bytes", () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const id = makeRecordId(random);
      expect(id).toMatch(/^[0-9a-z]{5}-[0-9a-z]{3}\d\d$/);
      expect(parseRecordId(id.toUpperCase())).toBe(id);
    }),
  );
});

it("makes another id from other bytes", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(makeRecordId(a) === makeRecordId(b)).toBe(Buffer.compare(a, b) === 0);
    }),
  );
});

it("notices one wrong character", () => {
  fc.assert(
    fc.property(bytes, fc.nat(8), fc.constantFrom(..."0123456789abcdefghjkmnpqrstvwxyz"), (random, at, letter) => {
      const id = makeRecordId(random);
      if (id[at] === "-" || id[at] === letter) return;
      expect(parseRecordId(id.slice(0, at) + letter + id.slice(at + 1))).toBeUndefined();
    }),
  );
});
