import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteChange } from "./change-table.js";
import { createDatabase, type Db, openDatabase } from "./database.js";

let folder: string;
let reader: Db;
let writer: Db;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-database-"));
  createDatabase(folder);
  writer = openDatabase(folder, "writer");
  reader = openDatabase(folder, "reader");
});
afterEach(() => {
  writer.close();
  reader.close();
  rmSync(folder, { recursive: true });
});

describe("what is kept until a commit", () => {
  let reads: number;
  beforeEach(() => {
    reads = 0;
  });
  const count = (db: Db): number =>
    db.untilCommit("count", () => {
      reads += 1;
      return db.sql<number>("SELECT count(*) FROM change").pluck().get()!;
    });
  const write = (): void => void noteChange(writer, 1, { kind: "term", action: "created", place: "organisms" });

  it("is read once, and again after another connection has committed", () => {
    expect([reader.read(() => count(reader)), reader.read(() => count(reader)), reads]).toEqual([0, 0, 1]);
    write();
    expect([reader.read(() => count(reader)), reader.read(() => count(reader)), reads]).toEqual([1, 1, 2]);
  });

  it("is that of the transaction, whatever is committed meanwhile", () => {
    reader.read(() => {
      expect(count(reader)).toBe(0);
      write();
      expect(count(reader)).toBe(0);
    });
    expect(reader.read(() => count(reader))).toBe(1);
  });

  it("is right outside of a transaction", () => {
    expect(count(reader)).toBe(0);
    write();
    expect(count(reader)).toBe(1);
  });

  it("is read each time over a connection that writes itself", () => {
    expect(count(writer)).toBe(0);
    write();
    expect([count(writer), reads]).toEqual([1, 2]);
  });
});
