import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fail } from "../../../core/errors.js";
import { createDatabase, openDatabase } from "../connection/database.js";
import { makeDamageFinder } from "./check-columns.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-columns-"));
  createDatabase(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(sql: string): void {
  const db = openDatabase(folder, "writer");
  db.raw.exec(sql);
  db.close();
}

const ADA = "INSERT INTO user(id, name, role, created) VALUES(7, 'ada', 'depositor', '2026-11-28')";

describe("makeDamageFinder", () => {
  it("names the first value that its column cannot have, and keeps the error as the cause", () => {
    run(`${ADA}; UPDATE user SET role = x'00ff'`);
    const error = new TypeError("role.split is not a function");
    expect(makeDamageFinder(folder)(error)).toMatchObject({
      code: "STORE_DAMAGED",
      params: { row: "7", reason: expect.stringMatching(/"role" of the table "user"/) },
      cause: error,
    });
  });

  it("explains neither an error of another cause nor one that explains itself", () => {
    run(ADA);
    expect(makeDamageFinder(folder)(new TypeError("a fault of the program"))).toBeUndefined();
    run("UPDATE user SET role = x'00ff'");
    expect(makeDamageFinder(folder)(fail("CURSOR_INVALID", { issues: [] }))).toBeUndefined();
  });

  it("gives up at its time limit, within a table too", () => {
    run(`${ADA}; INSERT INTO taken(id) VALUES('a'); UPDATE user SET role = x'00ff'`);
    expect(makeDamageFinder(folder, -1)(new TypeError("late"))).toBeUndefined();
  });
});
