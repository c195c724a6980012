import { expect, it } from "vitest";
import { decodePlace, encodePlace } from "./change-feed.js";

it("returns the place from which it was made", () => {
  for (const place of [
    { seq: 0, time: 0 },
    { seq: 17, time: 1_795_255_200_123_456 },
    { seq: 17, time: 1_795_255_200_123_456, entry: 3 },
  ]) {
    expect(decodePlace(encodePlace(place))).toEqual(place);
  }
});

it("reads the cursors that mirrors kept of older versions", () => {
  const kept = "bjJsMTJrWzEsImNoYW5nZXMiLDE3LDE3OTUyNTUyMDAxMjM0NTZd";
  expect(encodePlace({ seq: 17, time: 1_795_255_200_123_456 })).toBe(kept);
});

it("refuses a cursor that is cut, mistyped or not a place", () => {
  const whole = encodePlace({ seq: 17, time: 5 });
  for (const text of ["", "1", "*", whole.slice(0, -2), whole.slice(1), "\0"]) {
    expect(() => decodePlace(text), text).toThrow(expect.objectContaining({ code: "CHANGE_CURSOR_INVALID" }));
  }
});
