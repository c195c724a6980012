import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restrictAccess } from "./data-folder.js";
import { lockDataFolder } from "./running-server.js";

let folder: string;
const modeOf = (path: string): number => statSync(path).mode & 0o777;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "bindery-modes-")), "data");
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

describe("restrictAccess", () => {
  it("takes the rights of others from the folder and from our files, and says which had some", () => {
    const ours = ["bindery.sqlite", "bindery.sqlite-wal", "server.lock"].map((name) => join(folder, name));
    for (const file of [...ours, join(folder, "notes.txt")]) writeFileSync(file, "", { mode: 0o600 });
    for (const file of [...ours, join(folder, "notes.txt")]) chmodSync(file, 0o644);
    chmodSync(folder, 0o755);
    const found = restrictAccess(folder).map(({ path, mode }) => [path, mode]);
    expect(found).toEqual([[folder, "0755"], ...ours.map((file) => [file, "0644"])]);
    expect([folder, ...ours].map(modeOf)).toEqual([0o700, 0o600, 0o600, 0o600]);
    expect(modeOf(join(folder, "notes.txt"))).toBe(0o644);
    expect(restrictAccess(folder)).toEqual([]);
  });
});

it("makes the lock of the folder for its owner alone", () => {
  lockDataFolder(folder).release();
  expect(modeOf(join(folder, "server.lock"))).toBe(0o600);
});
