import { describe, expect, it } from "vitest";
import { answerBytesOf, cacheBytesOf, type EngineRole } from "./engine-role.js";

const SERVER: readonly EngineRole[] = ["http", "writer", "search", "loader"];

describe("cacheBytesOf", () => {
  it.each([0, 1, 7, 64, 512, 1_048_576])("divides exactly %d MB among the roles", (cacheMb) => {
    const shares = SERVER.map((role) => cacheBytesOf(role, cacheMb));
    expect(shares.every(Number.isSafeInteger)).toBe(true);
    expect(shares.reduce((sum, share) => sum + share, answerBytesOf(cacheMb))).toBe(cacheMb * 2 ** 20);
  });

  it("gives most to searches, little to other threads, and nothing to the relay and commands", () => {
    expect(cacheBytesOf("search", 512)).toBe(376 * 2 ** 20);
    expect(cacheBytesOf("loader", 512)).toBe(48 * 2 ** 20);
    expect(answerBytesOf(512)).toBe(64 * 2 ** 20);
    expect(cacheBytesOf("http", 512)).toBe(16 * 2 ** 20);
    expect(cacheBytesOf("http", 16)).toBe(2 ** 20);
    expect(cacheBytesOf("writer", 512)).toBe(8 * 2 ** 20);
    expect(cacheBytesOf("reader", 1024)).toBe(64 * 2 ** 20);
    expect(cacheBytesOf("reader", 16)).toBe(2 * 2 ** 20);
    expect(["relay", "command"].map((role) => cacheBytesOf(role as EngineRole, 512))).toEqual([0, 0]);
  });
});
