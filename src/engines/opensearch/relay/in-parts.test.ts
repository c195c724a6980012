import { expect, it } from "vitest";
import { inReadableParts } from "./in-parts.js";

it("reads no more bytes of bodies at once than may be, unless one record has more, nor too many records", async () => {
  const sizes = { a: 4, b: 4, c: 3, large: 99, d: 1, e: 1, f: 1, g: 1 };
  const view = {
    bytesOf: async (ids: readonly string[]) => new Map(Object.entries(sizes).filter(([id]) => ids.includes(id))),
  };
  const parts: string[] = [];
  const ids = ["a", "b", "c", "large", "d", "gone", "e", "f", "g"];
  for await (const part of inReadableParts(view, ids, { records: 6, bytes: 10 })) parts.push(part.join(" "));
  expect(parts).toEqual(["a b", "c", "large", "d gone", "e f g"]);
});
