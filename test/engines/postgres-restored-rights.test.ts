/** The statements of docs/cluster-operation.md that keep withdrawn rights withdrawn after a restore of the database. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPool, openPostgres } from "../../src/engines/postgres/index.js";
import { runCommand } from "../support/bindery.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import {
  copyDatabase,
  dropDatabase,
  HAS_POSTGRES,
  newDatabase,
  POSTGRES_PROGRAMS,
} from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

/** The block of shell commands of the page that names both databases. */
function statements(): string {
  const text = readFileSync("docs/cluster-operation.md", "utf8");
  const blocks = [...text.matchAll(/^ {2}```sh\n(.*?)^ {2}```$/gms)].map((match) => match[1]!);
  return blocks.find((block) => block.includes("$OLD"))!.replaceAll(/^ {2}/gm, "");
}

describe.skipIf(!HAS_POSTGRES)("the statements for a restored database", () => {
  let older: string;
  let newer: string;
  const query = async <Row extends object>(url: string, sql: string): Promise<readonly Row[]> => {
    const pool = await openPool({ url, connections: 1 });
    try {
      return await pool.rows<Row>(sql);
    } finally {
      await pool.close();
    }
  };

  beforeAll(async () => {
    older = await newDatabase();
    const pool = await openPool({ url: older, connections: 4 });
    const engine = await openPostgres({
      ...{ pool, catalog: contractCatalog(), clock: makeClock(), migrates: true, secrets: testSecrets() },
    });
    await putAll(engine, [tinyRecord("kept", { text: "a" }), tinyRecord("moved", { text: "b" })]);
    await engine.close();
    await query(
      older,
      `INSERT INTO bindery."user"(id, name, role, created) VALUES
      (1, 'ann', 'depositor', 'x'), (2, 'bob', 'depositor', 'x'), (3, 'cid', 'admin', 'x'), (4, 'dora', 'curator', 'x'),
      (5, 'o''hara', 'depositor', 'x')`,
    );
    await query(
      older,
      `INSERT INTO bindery.token("user", name, scopes, digest, created)
      SELECT id, 'a', '["records:read"]', 'digest' || id, 'x' FROM bindery."user"`,
    );
    await query(
      older,
      `INSERT INTO bindery.access(pid, "user", permission, created)
      VALUES ('one', 1, 'write', 1), ('two', 1, 'write', 1), ('three', 1, 'read', 1)`,
    );
    await query(older, "UPDATE bindery.rec SET owner = '1'");
    // The copy is what a restore brings back; the rights are withdrawn in the database that it was made of.
    newer = await copyDatabase(older);
    for (const sql of [
      "UPDATE bindery.token SET revoked = '2026-11-01T00:00:00.000000+00:00' WHERE digest = 'digest1'",
      `UPDATE bindery."user" SET disabled = '2026-11-02T00:00:00.000000+00:00' WHERE name = 'bob'`,
      `UPDATE bindery."user" SET role = 'depositor' WHERE name = 'cid'`,
      `UPDATE bindery."user" SET role = 'admin' WHERE name = 'ann'`,
      `DELETE FROM bindery."user" WHERE name = 'dora'`,
      "DELETE FROM bindery.token WHERE digest = 'digest4'",
      "DELETE FROM bindery.access WHERE pid = 'one'",
      "UPDATE bindery.access SET permission = 'read' WHERE pid = 'two'",
      "UPDATE bindery.rec SET owner = '5' WHERE pid = 'moved'",
    ]) {
      await query(older, sql);
    }
  }, 120_000);
  afterAll(async () => {
    for (const database of [older, newer]) if (database !== undefined) await dropDatabase(database);
  });

  it("withdraw the same rights, and name the records that were transferred", { timeout: 60_000 }, async () => {
    const path = `${POSTGRES_PROGRAMS}:${process.env.PATH}`;
    const env = { ...process.env, OLD: older, NEW: newer, PATH: path };
    const { code, stdout, stderr } = await runCommand("bash", ["-euo", "pipefail", "-c", statements()], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trim().split("\n")).toEqual(["npx bindery user transfer ann o'hara --record moved"]);
    const users = await query(
      newer,
      `SELECT name, role, disabled IS NOT NULL AS "isDisabled" FROM bindery."user" ORDER BY id`,
    );
    expect(users).toEqual([
      { name: "ann", role: "depositor", isDisabled: false },
      { name: "bob", role: "depositor", isDisabled: true },
      { name: "cid", role: "depositor", isDisabled: false },
      { name: "dora", role: "curator", isDisabled: true },
      { name: "o'hara", role: "depositor", isDisabled: false },
    ]);
    const revoked = await query(newer, "SELECT digest FROM bindery.token WHERE revoked IS NOT NULL ORDER BY digest");
    expect(revoked).toEqual([{ digest: "digest1" }, { digest: "digest4" }]);
    expect(await query(newer, "SELECT pid, permission FROM bindery.access ORDER BY pid")).toEqual([
      { pid: "three", permission: "read" },
      { pid: "two", permission: "read" },
    ]);
  });
});
