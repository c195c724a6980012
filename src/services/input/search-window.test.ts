import fc from "fast-check";
import { expect, it } from "vitest";
import { encryptedCursors } from "./search-window.js";

const part = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const key = fc.array(part, { minLength: 1, maxLength: 4 });
// JSON knows no -0 and no half of a surrogate pair.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const cursors = encryptedCursors("the secret of a store");
const invalid = expect.objectContaining({ code: "CURSOR_INVALID" });

it("gives back the key that it was made of", () => {
  fc.assert(
    fc.property(key, (sortKey) => {
      const cursor = cursors.encode("records newest", sortKey);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(cursors.decode("records newest", cursor)).toEqual(plain(sortKey));
      expect(cursors.encode("records newest", sortKey)).toBe(cursor);
    }),
  );
});

it("begins with *", () => {
  expect(cursors.decode("records newest", "*")).toBeNull();
});

it("refuses a cursor of another order or store, and any other text", () => {
  const cursor = cursors.encode("records newest", ["a", 1]);
  expect(() => cursors.decode("records oldest", cursor)).toThrow(invalid);
  expect(() => encryptedCursors("another secret").decode("records newest", cursor)).toThrow(invalid);
  for (const text of [
    "",
    "**",
    "x",
    cursor.slice(1),
    cursor.slice(0, -2),
    `${cursor}AA`,
    `${cursor}=`,
    "\0",
    "\ud800",
  ]) {
    expect(() => cursors.decode("records newest", text), text).toThrow(invalid);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (text !== "*") expect(() => cursors.decode("records newest", text)).toThrow(invalid);
    }),
  );
});

it("refuses the readable cursors of older versions, with which row numbers could be tried", () => {
  // crc32 of the JSON text, and the text.
  const old = Buffer.from('ulwm3k[1,"records newest",7]').toString("base64url");
  expect(() => cursors.decode("records newest", old)).toThrow(invalid);
});

it("reveals neither the numbers in a key nor how many digits they have", () => {
  const rows = [1, 2, 9, 10, 99, 1_000, 4_711_001];
  const texts = rows.map((row) => cursors.encode("records newest", [row]));
  expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
  const bytes = texts.map((text) => Buffer.from(text, "base64url"));
  for (const [i, one] of bytes.entries()) {
    // One random byte may well be a digit; four are none.
    if (rows[i]! >= 1_000) expect(one.toString("latin1")).not.toContain(String(rows[i]));
    for (const other of bytes.slice(i + 1)) {
      const same = [...one].filter((byte, at) => byte === other[at]).length;
      // Random bytes are equal in one of 256 cases.
      expect(same).toBeLessThan(8);
    }
  }
});

it("gives the same cursors and keys after many others, from memory or not", () => {
  const many = Array.from({ length: 1_000 }, (_, n) => cursors.encode("records newest", [n]));
  const others = encryptedCursors("the secret of a store");
  for (const [n, cursor] of many.entries()) {
    expect(cursors.encode("records newest", [n])).toBe(cursor);
    for (const each of [cursors, others]) expect(each.decode("records newest", cursor)).toEqual([n]);
    expect(() => cursors.decode("records oldest", cursor)).toThrow(invalid);
    expect(cursors.encode("records oldest", [n])).not.toBe(cursor);
  }
});
