import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, DATABASE_FILE, databaseFile, openDatabase, Sqlite } from "./database.js";

let folder: string;
let file: string;
const ROLES = ["writer", "reader"] as const;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-create-"));
  file = databaseFile(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("createDatabase", () => {
  it("leaves one whole file for its owner alone, in a folder that it makes", () => {
    const made = join(folder, "a", "b");
    expect(createDatabase(made)).toBe(true);
    expect(readdirSync(made)).toEqual([DATABASE_FILE]);
    expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(statSync(databaseFile(made)).mode & 0o777).toBe(0o600);
    for (const role of ROLES) openDatabase(made, role).close();
  });

  it("gives the log and its index the mode of the file", () => {
    createDatabase(folder);
    const db = openDatabase(folder, "writer");
    db.raw.exec("INSERT INTO taken(id) VALUES('a')");
    for (const ending of ["", "-wal", "-shm"]) expect(statSync(file + ending).mode & 0o777, ending).toBe(0o600);
    db.close();
  });

  it("leaves a store that is there as it is", () => {
    createDatabase(folder);
    const db = openDatabase(folder, "writer");
    db.raw.exec("INSERT INTO taken(id) VALUES('a')");
    db.close();
    expect(createDatabase(folder)).toBe(false);
    const again = openDatabase(folder, "reader");
    expect(again.sql("SELECT id FROM taken").pluck().all()).toEqual(["a"]);
    again.close();
  });

  it("refuses a folder that has a log without its database", () => {
    writeFileSync(`${file}-wal`, "the log of another database");
    expect(() => createDatabase(folder)).toThrow(/bindery\.sqlite is missing, but its log .* is there/);
    expect(readdirSync(folder)).toEqual([`${DATABASE_FILE}-wal`]);
  });

  it("removes what a process left that was killed in the middle, and nothing of one that works", () => {
    const left = `${file}.new-1-old`;
    const young = `${file}.new-2-young`;
    for (const each of [left, young]) writeFileSync(each, "");
    utimesSync(left, 0, 0);
    createDatabase(folder);
    expect(readdirSync(folder).sort()).toEqual([DATABASE_FILE, `${DATABASE_FILE}.new-2-young`]);
  });
});

describe("openDatabase", () => {
  it.each(ROLES)("as a %s makes nothing where there is no store, and says where it looked and what to do", (role) => {
    const nowhere = join(folder, "nowhere");
    const said = new RegExp(`There is no store: ${databaseFile(nowhere)} does not exist\\. Set BINDERY_DATA .*start`);
    expect(() => openDatabase(nowhere, role)).toThrow(said);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(ROLES)("as a %s refuses a file of 0 bytes, and leaves it so", (role) => {
    writeFileSync(file, "");
    expect(() => openDatabase(folder, role)).toThrow(`${file} is empty (0 bytes)`);
    expect(createDatabase(folder)).toBe(false);
    expect(statSync(file).size).toBe(0);
    expect(readdirSync(folder)).toEqual([DATABASE_FILE]);
  });

  it.each(ROLES)("as a %s refuses a database of another program, and leaves it as it is", (role) => {
    const other = new Sqlite(file);
    other.exec("CREATE TABLE theirs(a)");
    other.close();
    expect(() => openDatabase(folder, role)).toThrow("is a database, but not one of Bindery");
    const again = new Sqlite(file);
    expect(again.pragma("journal_mode", { simple: true })).toBe("delete");
    expect(again.prepare("SELECT name FROM sqlite_schema").pluck().all()).toEqual(["theirs"]);
    again.close();
  });
});
