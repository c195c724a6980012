import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSecretBox } from "./secret-box.js";

const SECRET = "whsec_that_nobody_else_may_read_at_all";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-box-"));
  file = join(folder, "bindery.key");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("makeSecretBox", () => {
  it("opens only what it sealed, for the same, and seals nothing twice alike", () => {
    const box = makeSecretBox(file);
    const sealed = box.seal(SECRET, "a");
    expect(box.open(sealed, "a")).toBe(SECRET);
    expect(box.open(sealed, "b")).toBeUndefined();
    expect(box.seal(SECRET, "a")).not.toBe(sealed);
    const changed = Buffer.from(sealed.split(":")[1]!, "base64url");
    changed[20]! ^= 1;
    expect(box.open(`aes-256-gcm:${changed.toString("base64url")}`, "a")).toBeUndefined();
    for (const bad of ["", SECRET, "aes-256-gcm:", "aes-256-gcm:AAAA"]) expect(box.open(bad, "a")).toBeUndefined();
    const other = join(folder, "other.key");
    makeSecretBox(other).seal("x", "y");
    expect(makeSecretBox(other).open(sealed, "a")).toBeUndefined();
  });

  it("has its key in a file that only its owner can read, and shares it with every box of this file", () => {
    const sealed = makeSecretBox(file).seal(SECRET, "a");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(makeSecretBox(file).open(sealed, "a")).toBe(SECRET);
  });

  it("refuses a key file that is none, and does not overwrite it", () => {
    writeFileSync(file, "");
    const box = makeSecretBox(file);
    expect(() => box.seal(SECRET, "a")).toThrow(/bindery\.key is not a key of Bindery/);
    expect(readFileSync(file, "utf8")).toBe("");
  });
});
