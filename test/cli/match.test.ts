import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newStore } from "../support/new-store.js";
import { runCli } from "./run-cli.js";

let folder: string;
let env: { BINDERY_DATA: string };
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-match-"));
  env = { BINDERY_DATA: join(folder, "data") };
  await newStore(env.BINDERY_DATA);
  file = join(folder, "people.csv");
  writeFileSync(file, 'name,institute\r\nNovák,"Masaryk Univ., Brno"\r\nDoe,at home\r\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const match = (...args: readonly string[]) => runCli(["match", "affiliations", file, ...args], env);

describe("bindery match affiliations", () => {
  it("prints the file with an organisation for each row that names one", async () => {
    const { code, stdout, stderr } = await match("--column", "institute");
    expect(code).toBe(0);
    expect(stdout.split("\r\n")).toEqual([
      "name,institute,matched_id,matched_title,confidence,alternatives",
      expect.stringMatching(/^Novák,"Masaryk Univ\., Brno",ror:02j46qs45,Masaryk University,[01]\.\d\d,/),
      expect.stringMatching(/^Doe,at home,,,,/),
      "",
    ]);
    expect(stderr).toBe("2 rows, 1 with a match\n");
  });

  it("says what is wrong with its options, and with the file", async () => {
    const unlikely = await match("--column", "institute", "--min-confidence", "1.5");
    expect(unlikely).toMatchObject({ code: 2, stdout: "" });
    expect(unlikely.stderr).toContain("It is a number from 0 to 1, such as 0.8.");
    const nameless = await match();
    expect(nameless).toMatchObject({ code: 1, stdout: "" });
    expect(nameless.stderr).toContain('The header has "name", "institute"');
  });

  it("says of affiliations that are too long that only their beginning was read", async () => {
    const long = join(folder, "long.csv");
    writeFileSync(long, `affiliation\n${"word ".repeat(500)}\n`);
    const { code, stderr } = await runCli(["match", "affiliations", long], env);
    expect(code).toBe(0);
    expect(stderr).toContain("1 affiliation of more than 2,000 characters: only the beginning was read");
  });
});
