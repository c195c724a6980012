import { describe, expect, it } from "vitest";
import { cacheBytesOf, type Place } from "./place.js";

const SERVER: readonly Place[] = ["here", "writer", "search", "slow"];

describe("cacheBytesOf", () => {
  it.each([0, 1, 7, 64, 512, 1_048_576])("shares out %d MB, and no byte more", (cacheMb) => {
    const shares = SERVER.map((place) => cacheBytesOf(place, cacheMb));
    expect(shares.every(Number.isSafeInteger)).toBe(true);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cacheMb * 2 ** 20);
  });

  it("gives the most to searches, a little to HTTP, and nothing to others", () => {
    expect(cacheBytesOf("search", 512)).toBe(496 * 2 ** 20);
    expect(cacheBytesOf("here", 512)).toBe(16 * 2 ** 20);
    expect(cacheBytesOf("here", 16)).toBe(2 ** 20);
    expect(["writer", "slow", "command"].map((place) => cacheBytesOf(place as Place, 512))).toEqual([0, 0, 0]);
  });
});
