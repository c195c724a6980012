import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tinyCatalog } from "../../../../test/support/tiny-catalog.js";
import { keyFilePath } from "../connection/data-folder.js";
import { openSqlite, type SqliteEngine } from "../index.js";

const SECRET = "whsec_that_nobody_else_may_read_at_all";
const URL = "https://example.org/hook";

let folder: string;
let opened: SqliteEngine[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-secrets-"));
  opened = [];
});
afterEach(async () => {
  for (const engine of opened) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(data = join(folder, "data")): SqliteEngine {
  const clock = { nowMicros: () => Date.now() * 1000 };
  const engine = openSqlite({ folder: data, catalog: tinyCatalog(), clock, role: "writer", searchTimeoutMs: 5_000 });
  opened.push(engine);
  return engine;
}
const add = ({ store }: SqliteEngine) =>
  store.transaction((tx) => tx.webhooks.add({ url: URL, secret: SECRET, filter: {} }));

/** Files in which the secret stands as it is. */
function filesWith(text: string, data = join(folder, "data")): readonly string[] {
  return readdirSync(data).filter((name) => readFileSync(join(data, name)).includes(text));
}

describe("the secret of a webhook", () => {
  it("comes back as it was, and stands in no file", async () => {
    const engine = open();
    expect(await add(engine)).toMatchObject({ secret: SECRET });
    expect(await engine.store.webhooks.list()).toMatchObject([{ url: URL, secret: SECRET }]);
    expect(await engine.store.webhooks.statuses()).toMatchObject([{ has_secret: true }]);
    expect(filesWith(SECRET)).toEqual([]);
    expect(statSync(keyFilePath(join(folder, "data"))).mode & 0o777).toBe(0o600);
    await engine.close();
    expect(await open().store.webhooks.list()).toMatchObject([{ secret: SECRET }]);
  });

  it("is in no backup, and cannot be read of one that is restored without the key", async () => {
    const engine = open();
    await add(engine);
    const elsewhere = join(folder, "elsewhere");
    await engine.admin.backup(join(folder, "bindery.sqlite"), { force: false });
    expect(readFileSync(join(folder, "bindery.sqlite")).includes(SECRET)).toBe(false);
    cpSync(join(folder, "bindery.sqlite"), join(elsewhere, "bindery.sqlite"), { recursive: true });

    const restored = open(elsewhere);
    const [webhook] = await restored.store.webhooks.list();
    expect(webhook).toMatchObject({ url: URL });
    expect(webhook?.secret).toBeUndefined();
    expect(await restored.store.webhooks.statuses()).toMatchObject([{ has_secret: false }]);

    // The key comes back: the open service reads it.
    cpSync(keyFilePath(join(folder, "data")), keyFilePath(elsewhere));
    expect(await restored.store.webhooks.list()).toMatchObject([{ secret: SECRET }]);
  });

  it("is set anew, under a key that is made then", async () => {
    const engine = open();
    const { id } = await add(engine);
    rmSync(keyFilePath(join(folder, "data")));
    const other = open();
    expect((await other.store.webhooks.list())[0]?.secret).toBeUndefined();
    const set = (to: string) => other.store.transaction((tx) => tx.webhooks.setSecret(to, "whsec_2"));
    expect(await set(id)).toBe(true);
    expect(await set("99")).toBe(false);
    for (const each of [engine, other]) {
      expect(await each.store.webhooks.list()).toMatchObject([{ secret: "whsec_2" }]);
    }
  });

  it("that an earlier version stored as it is, is sealed at the next start, and nothing of it is left", async () => {
    const engine = open();
    await add(engine);
    await engine.close();
    const { openDatabase } = await import("../connection/database.js");
    const db = openDatabase(join(folder, "data"), "writer");
    db.raw.prepare("UPDATE webhook SET secret = ?").run(SECRET);
    db.close();
    expect(filesWith(SECRET)).toEqual(["bindery.sqlite"]);

    const next = open();
    expect(await next.store.webhooks.list()).toMatchObject([{ secret: SECRET }]);
    expect(filesWith(SECRET)).toEqual([]);
    await next.close();
    expect(filesWith(SECRET)).toEqual([]);
  });
});
