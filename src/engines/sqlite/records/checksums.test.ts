import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hearBackground } from "../../../../test/support/background.js";
import { makeClock, putAll } from "../../../../test/support/engines/engine-under-test.js";
import { tinyCatalog, tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { crc32 } from "../../../core/crc32.js";
import { DATABASE_FILE, Sqlite } from "../connection/database.js";
import { openSqlite, type SqliteEngine } from "../index.js";
import { checksumOf, isIntact, UNSUMMED_KEY } from "./checksums.js";

describe("a checksum", () => {
  const text = '{"title":"Zürich, 10 nM 🧬"}';

  it("is the CRC-32 of the text, on every Node, with the revision", () => {
    expect(checksumOf(text, 0)).toBe(crc32(text));
    expect(checksumOf("123456789", 3)).toBe(3 * 2 ** 32 + 0xcbf43926);
    expect(Number.isSafeInteger(checksumOf(text, 2 ** 31))).toBe(true);
  });

  it("tells each changed byte, and the text of another revision", () => {
    const sum = checksumOf(text, 4);
    expect(isIntact(text, 4, sum)).toBe(true);
    expect(isIntact(text, 5, sum)).toBe(false);
    for (let at = 0; at < text.length; at++) {
      expect(isIntact(`${text.slice(0, at)}#${text.slice(at + 1)}`, 4, sum)).toBe(text[at] === "#");
    }
  });
});

describe("the store", () => {
  const RECORDS = Array.from({ length: 50 }, (_, i) => tinyRecord(`r${i}`, { title: `Measured ${i}`, ph: 7 }));
  let folder: string;
  let engine: SqliteEngine;
  const heard = hearBackground();

  const start = (): void => {
    const options = { folder, catalog: tinyCatalog(), clock: makeClock(), searchTimeoutMs: 5_000, background: heard };
    engine = openSqlite({ ...options, role: "writer", runsReindexing: true });
  };
  const withFile = <T>(work: (raw: InstanceType<typeof Sqlite>) => T): T => {
    const raw = new Sqlite(join(folder, DATABASE_FILE));
    const result = work(raw);
    raw.close();
    return result;
  };
  const unsummed = (): unknown =>
    withFile((raw) => raw.prepare("SELECT count(*) FROM doc WHERE sum IS NULL").pluck().get());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-checksum-"));
    start();
    await putAll(engine, RECORDS);
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("serves no record that says something else than was written, by id or in a search", async () => {
    withFile((raw) => raw.exec("UPDATE doc SET json = replace(json, 'Measured 7', 'Measured 9') WHERE id = 8"));
    const damaged = { code: "STORE_DAMAGED", status: 503, params: { record: "r7" } };
    await expect(engine.store.records.get("r7", RECORDS[7]!.state)).rejects.toMatchObject(damaged);
    expect(await engine.store.records.get("r8", RECORDS[8]!.state)).toMatchObject({ id: "r8" });
    const search = { clause: { kind: "everything" }, facets: [], sort: "newest" } as const;
    const scope = { kind: "public", models: ["tiny"], allVersions: true } as const;
    const page = { offset: 0, limit: 50 };
    await expect(engine.index.searchRecords({ ...search, scope, page })).rejects.toMatchObject(damaged);
    // Nothing else is refused for it.
    await putAll(engine, [tinyRecord("later", { title: "Later", ph: 7 })]);
  });

  it("gives records of before there were checksums theirs, beside all else, and not those that are none", async () => {
    await engine.close();
    withFile((raw) => {
      raw.exec("UPDATE doc SET sum = NULL");
      raw.exec("UPDATE doc SET json = '{' WHERE id = 3");
      raw.prepare("INSERT INTO meta(name, value) VALUES(?, '50')").run(UNSUMMED_KEY);
    });
    start();
    expect(await engine.store.records.get("r8", RECORDS[8]!.state)).toMatchObject({ id: "r8" });
    await vi.waitFor(() => expect(heard.last("checksums")).toBe("success"), 5_000);
    await vi.waitFor(() => expect(unsummed()).toBe(1), 5_000);
    expect(await engine.store.records.get("r8", RECORDS[8]!.state)).toMatchObject({ id: "r8" });
  });

  it("writes nothing any more once it is told that the file is damaged", async () => {
    const { fail } = await import("../../../core/errors.js");
    engine.refuseWrites(fail("STORE_DAMAGED", { part: "The data file", reason: "a page" }));
    await expect(putAll(engine, RECORDS.slice(0, 1))).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(await engine.store.records.get("r8", RECORDS[8]!.state)).toMatchObject({ id: "r8" });
  });
});
