import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandResult } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";
import { runCli, runProgram } from "./run-cli.js";

let folder: string;
const inFolder = (...names: string[]): string => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-cli-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NO_STACK = /^(?!.*\n\s+at )/s;

function expectRefusal(outcome: CommandResult, code: number, ...words: readonly (string | RegExp)[]): void {
  expect(outcome.code, outcome.stderr).toBe(code);
  expect(outcome.stdout).toBe("");
  expect(outcome.stderr).toMatch(NO_STACK);
  for (const word of words) expect(outcome.stderr).toMatch(word);
}

describe("bindery", () => {
  it("explains itself and names the commands that there are", async () => {
    const { code, stdout } = await runCli(["--help"]);
    expect(code).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*$/gm)].map((match) => match[1]);
    expect(commands).toEqual([
      "serve",
      "status",
      "reindex",
      "import",
      "authority",
      "term",
      "validate",
      "match",
      "demo",
      "user",
      "token",
      "audit",
      "webhook",
      "catalog",
      "refresh",
      "verify",
      "backup",
      "dump",
      "load",
      "restore",
      "config",
      "help",
    ]);
  });

  it("prints its version", async () => {
    expect((await runCli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [["index"], /unknown command 'index'/],
    [["serve", "--prot", "1"], /unknown option '--prot'/],
    [["user", "add"], /missing required argument 'name'/],
    [["token", "create", "--user", "a"], /--scope/],
    [["user", "add", "a", "--role", "king"], /depositor, curator, admin/],
    [["token", "create", "--user", "a", "--scope", "all"], /records:read, records:write, vocabularies:write, admin/],
    [["import", "records", "mst", "x.json"], /--owner/],
  ])("answers %j with the exit code of a wrong usage", async (args, word) => {
    expectRefusal(await runCli(args), 2, word);
  });

  it("helps beside a bad configuration", async () => {
    expect((await runCli(["token", "create", "--help"], { BINDERY_PORT: "x" })).code).toBe(0);
  });
});

describe("bindery config", () => {
  it("prints the values that apply", async () => {
    const { code, stdout } = await runCli(["config"], { BINDERY_PORT: "81" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BINDERY_PORT +81$/m);
    expect(stdout).toMatch(/^BINDERY_HOST +127\.0\.0\.1$/m);
  });

  it("prints them as JSON", async () => {
    const { stdout } = await runCli(["config", "--json"], { BINDERY_LOG_LEVEL: "warn" });
    expect(JSON.parse(stdout)).toMatchObject({ BINDERY_LOG_LEVEL: "warn", BINDERY_PORT: "8080" });
  });

  it("explains each of them", async () => {
    const { stdout } = await runCli(["config", "--help"]);
    expect(stdout).toContain("BINDERY_SEARCH_TIMEOUT_MS\n    Maximum duration of a query");
  });
});

describe("a start that cannot be", () => {
  it("lists unknown and bad settings and ends with 1", async () => {
    const outcome = await runProgram(["serve"], { BINDERY_PROT: "1", BINDERY_PORT: "x", BINDERY_RATE_LIMITS: "1" });
    expectRefusal(outcome, 1, "BINDERY_PROT", 'BINDERY_PORT="x"', "BINDERY_RATE_LIMITS");
  });

  it("names file, line and reason of a wrong declaration", async () => {
    mkdirSync(inFolder("catalog", "vocabularies", "colours"), { recursive: true });
    writeFileSync(inFolder("catalog", "vocabularies", "colours", "vocabulary.yaml"), "name: colours\ntitel: Colours\n");
    const env = { BINDERY_CATALOG: inFolder("catalog"), BINDERY_DATA: inFolder("never") };
    expectRefusal(await runProgram(["serve"], env), 1, /colours\/vocabulary\.yaml:\d+: .*titel/);
  });

  it("says so when a folder of the catalog is not there", async () => {
    const env = { BINDERY_CATALOG: inFolder("nowhere"), BINDERY_DATA: inFolder("never") };
    expectRefusal(await runProgram(["serve"], env), 1, "nowhere");
  });

  it("says so when the data folder is a file", async () => {
    writeFileSync(inFolder("file"), "");
    expectRefusal(await runProgram(["serve"], { BINDERY_DATA: inFolder("file") }), 1, "file");
  });
});

describe("users and tokens", () => {
  const env = () => ({ BINDERY_DATA: inFolder("users") });
  beforeAll(() => newStore(inFolder("users")));

  it("adds a user", async () => {
    const { code, stdout, stderr } = await runCli(["user", "add", "alice", "--role", "curator"], env());
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^Added the user alice \(curator\), id \d+\.\n$/);
    expect(code).toBe(0);
  });

  it("lists users and gives one another role", async () => {
    expect((await runCli(["user", "role", "alice", "admin"], env())).stdout).toBe("alice now has the role admin.\n");
    expect((await runCli(["user", "list"], env())).stdout).toMatch(
      /^ID +NAME +ROLE +ADDED +DISABLED\n\d+ +alice +admin +\d{4}-/,
    );
    expect(JSON.parse((await runCli(["user", "list", "--json"], env())).stdout)).toMatchObject([{ role: "admin" }]);
    expectRefusal(await runCli(["user", "role", "bob", "admin"], env()), 1, "bob");
    expectRefusal(await runCli(["user", "role", "alice", "king"], env()), 2, /depositor, curator, admin/);
    expectRefusal(await runCli(["user", "add", "operator"], env()), 1, /another name/);
  });

  it("refuses a name that is taken", async () => {
    expectRefusal(await runCli(["user", "add", "alice"], env()), 1, "alice");
  });

  it("prints a new token alone on stdout, so that it can be piped", async () => {
    const args = ["token", "create", "--user", "alice", "--name", "laptop", "--expires", "90d"];
    const scopes = ["--scope", "records:read", "records:write", "--scope", "vocabularies:write"];
    const { code, stdout, stderr } = await runCli([...args, ...scopes], env());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bnd_\w+\n$/);
    expect(stderr).toMatch(/records:read, records:write, vocabularies:write/);
    expect(stderr).not.toContain(stdout.trim());
  });

  it("refuses a token for somebody it does not know", async () => {
    expectRefusal(await runCli(["token", "create", "--user", "bob", "--scope", "admin"], env()), 1, "bob");
  });

  it.each(["soon", "-1d", "2001-01-01", "90"])("refuses the expiry %s", async (when) => {
    const args = ["token", "create", "--user", "alice", "--scope", "admin", `--expires=${when}`];
    expectRefusal(await runCli(args, env()), 1, /^expires [^\n]+\n$/);
  });

  it("lists tokens without secrets, and revokes one", async () => {
    const { stdout: token } = await runCli(["token", "create", "--user", "alice", "--scope", "records:read"], env());
    const { stdout } = await runCli(["token", "list", "--json"], env());
    const rows = JSON.parse(stdout) as { id: string; userName: string; name: string; revoked?: string }[];
    expect(rows).toHaveLength(2);
    expect(rows.every((row) => row.userName === "alice" && row.revoked === undefined)).toBe(true);
    expect(rows.map((row) => row.name)).toContain("laptop");
    expect(stdout).not.toContain(token.trim());

    expect((await runCli(["token", "revoke", rows[0]!.id], env())).code).toBe(0);
    const table = (await runCli(["token", "list"], env())).stdout.split("\n");
    expect(table[0]).toMatch(/^ID +USER +NAME +SCOPES +CREATED +EXPIRES +MADE BY +LAST USED +REVOKED$/);
    expect(table.find((line) => line.startsWith(`${rows[0]!.id} `))).toMatch(/\d{4}-\d\d-\d\d$/);
  });

  it("refuses to revoke what is not there, and what is not said", async () => {
    expectRefusal(await runCli(["token", "revoke", "12345"], env()), 1, "12345");
    expectRefusal(await runCli(["token", "revoke"], env()), 2, /--all/);
    expectRefusal(await runCli(["token", "revoke", "1", "--all"], env()), 2, /--all/);
    expectRefusal(await runCli(["token", "revoke", "1", "--user", "alice"], env()), 2, /--user goes with --all/);
  });

  it("disables, renames, empties and deletes a user", async () => {
    const told = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli(args, env());
      expect(code, stderr).toBe(0);
      return stdout;
    };
    await told("user", "add", "carol");
    expect(await told("user", "disable", "carol")).toBe("carol is now disabled.\n");
    expect(await told("user", "list")).toMatch(/ carol +depositor +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d\n/);
    expectRefusal(
      await runCli(["token", "create", "--user", "carol", "--scope", "admin"], env()),
      1,
      /user enable carol/,
    );
    expect(JSON.parse(await told("user", "enable", "carol", "--json"))).toMatchObject({ name: "carol" });
    expect(await told("user", "rename", "carol", "dora")).toMatch(/^carol is now called dora \(id \d+\)\.\n$/);
    expect(await told("token", "revoke", "--all", "--user", "dora")).toBe("Revoked 0 tokens.\n");
    expect(await told("user", "transfer", "dora", "alice")).toBe(
      "Gave 0 published records and 0 drafts of dora to alice.\n",
    );
    expectRefusal(
      await runCli(["user", "transfer", "dora", "alice", "--drafts", "--record", "x"], env()),
      2,
      /--drafts/,
    );
    expectRefusal(await runCli(["user", "transfer", "dora", "alice", "--record", "x"], env()), 1, /no record or draft/);
    expect(await told("user", "delete", "dora")).toMatch(/^Deleted the user dora, id \d+\.\n$/);
    expectRefusal(await runCli(["user", "delete", "dora"], env()), 1, /There is no user dora/);
    expect(await told("audit", "--action", "user.rename")).toContain("user carol -> dora");
  });
});
