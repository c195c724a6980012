import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SETTINGS } from "../../src/config/settings.js";
import { LIMITS } from "../../src/core/limits.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

it.each(["docs/deploying.md", "Dockerfile"])("names in %s only settings that there are", (file) => {
  const known = new Set(SETTINGS.map(({ variable }) => variable));
  const named = read(file).match(/\bBINDERY_[A-Z_]+/g) ?? [];
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it("tells proxies to take bodies as large, and to wait as long, as the service does", () => {
  const page = read("docs/deploying.md");
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(page)?.[1]);
  expect(megabytes * 2 ** 20).toBe(LIMITS.bodyBytesMax);
  const waits = [...page.matchAll(/(?:proxy_read_timeout|response_header_timeout) (\d+)s/g)].map((match) =>
    Number(match[1]),
  );
  expect(waits).toHaveLength(2);
  for (const seconds of waits) expect(seconds).toBeGreaterThan(LIMITS.changeWaitSecondsMax);
});

it("puts into the image what the package holds, and sends the builder nothing else", () => {
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  const copied = [...read("Dockerfile").matchAll(/^COPY --from=build \/build\/(\S+) /gm)].map((match) => match[1]!);
  expect(copied).toEqual(expect.arrayContaining(files.filter((name) => !name.startsWith("!"))));
  const sent = read(".dockerignore").trim().split("\n");
  expect(sent[0]).toBe("*");
  expect(sent).toEqual(
    expect.arrayContaining(["!package.json", "!package-lock.json", "!scripts", "!src", "!catalog", "!demo"]),
  );
});

/** The unit of systemd in the documentation. */
const unit = /```ini\n(\[Unit\][^`]*)```/.exec(read("docs/deploying.md"))?.[1] ?? "";

it("hardens the unit of systemd", () => {
  const settings = ["SystemCallFilter=@system-service", "ProtectProc=invisible", "CapabilityBoundingSet="];
  const switches = ["ProtectClock", "ProtectHostname", "ProtectKernelLogs", "RestrictRealtime", "RestrictSUIDSGID"];
  const lines = unit.split("\n");
  expect(lines).toEqual(expect.arrayContaining([...settings, ...switches.map((name) => `${name}=yes`)]));
  // Node compiles code at run time.
  expect(unit).not.toContain("MemoryDenyWriteExecute=yes");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

it.runIf(hasSystemd)("leaves the unit an exposure below 2, as systemd rates it", () => {
  const folder = mkdtempSync(join(tmpdir(), "bindery-unit-"));
  try {
    const file = join(folder, "bindery.service");
    writeFileSync(file, unit);
    // In tenths: it fails for more than 19 of 100.
    const { status, stdout } = spawnSync(
      "systemd-analyze",
      ["security", "--offline=true", "--threshold=19", "--no-pager", file],
      { encoding: "utf8" },
    );
    expect(stdout).toContain("Overall exposure level");
    expect(status, stdout.slice(-200)).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("trusts proxies by their address, and not a whole network", () => {
  const values = [...read("docs/deploying.md").matchAll(/BINDERY_TRUSTED_PROXIES=(\S+)/g)].map((match) => match[1]!);
  expect(values.length).toBeGreaterThan(1);
  expect(values.filter((value) => value.includes("/"))).toEqual([]);
});
