import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.js";

const part = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const key = fc.array(part, { minLength: 1, maxLength: 4 });
// JSON knows no -0 and no half of a surrogate pair.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it("gives back the key that it was made of", () => {
  fc.assert(
    fc.property(key, (sortKey) => {
      const cursor = encodeCursor("records newest", sortKey);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(decodeCursor("records newest", cursor)).toEqual(plain(sortKey));
    }),
  );
});

it("begins with *", () => {
  expect(decodeCursor("records newest", "*")).toBeNull();
});

it("refuses a cursor of another order, and any other text", () => {
  const invalid = expect.objectContaining({ code: "CURSOR_INVALID" });
  const cursor = encodeCursor("records newest", ["a", 1]);
  expect(() => decodeCursor("records oldest", cursor)).toThrow(invalid);
  for (const text of ["", "**", "x", cursor.slice(1), cursor.slice(0, -2), `${cursor}AA`, "\0", "\ud800"]) {
    expect(() => decodeCursor("records newest", text), text).toThrow(invalid);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (text !== "*") expect(() => decodeCursor("records newest", text)).toThrow(invalid);
    }),
  );
});
