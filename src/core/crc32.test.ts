import { expect, it } from "vitest";
import { crc32 } from "./crc32.js";

it("computes the usual CRC-32", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});
