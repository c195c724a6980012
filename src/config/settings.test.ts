import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { LOCALHOST_CERTIFICATE } from "../../test/support/localhost-certificate.js";
import { addressWarning, catalogFolders, lookupUrlsOf, publicUrlOf, searchCaOf } from "./derived.js";
import { ConfigSchema } from "./schema.js";
import { loadConfig, SETTINGS, showValue } from "./settings.js";

const messageOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("loadConfig", () => {
  it("gives every setting its default without an environment", () => {
    expect(loadConfig({})).toEqual(Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default])));
    expect(loadConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      data: "./bindery-data",
      publicUrl: "",
      catalog: "",
      rateLimits:
        "reads=60000,searches=12000,writes=6000," +
        "anonymous-reads=30000,anonymous-searches=6000,anonymous-writes=3000",
      trustedProxies: "",
      connections: 2_000,
      connectionsPerAddress: 500,
      metrics: "loopback",
      metricsToken: "",
      webhookPrivate: "off",
      cacheMb: 512,
      workers: 1,
      searchTimeoutMs: 2_000,
      logLevel: "info",
    });
  });

  it("reads each setting from its variable", () => {
    const env = {
      BINDERY_HOST: "::1",
      BINDERY_PORT: "0",
      BINDERY_DATA: "/var/lib/bindery",
      BINDERY_PUBLIC_URL: "https://data.example.org/repo/",
      BINDERY_CATALOG: "/a:/b",
      BINDERY_SEARCH_TIMEOUT_MS: "50",
      BINDERY_LOG_LEVEL: "debug",
      BINDERY_RATE_LIMITS: "off",
      BINDERY_CACHE_MB: "64",
      PATH: "/bin",
    };
    expect(loadConfig(env)).toMatchObject({
      host: "::1",
      port: 0,
      data: "/var/lib/bindery",
      publicUrl: "https://data.example.org/repo",
      catalog: "/a:/b",
      cacheMb: 64,
      searchTimeoutMs: 50,
      logLevel: "debug",
    });
  });

  it("freezes what it read", () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });

  it("takes an empty variable for one that is not set", () => {
    expect(loadConfig({ BINDERY_PORT: "", BINDERY_HOST: " " })).toMatchObject({ port: 8080, host: "127.0.0.1" });
  });

  it.each([
    ["BINDERY_HOST", "http://localhost"],
    ["BINDERY_HOST", "two words"],
    ["BINDERY_PORT", "80 80"],
    ["BINDERY_PORT", "-1"],
    ["BINDERY_PORT", "65536"],
    ["BINDERY_PORT", "8080.5"],
    ["BINDERY_PORT", "0x50"],
    ["BINDERY_PORT", "true"],
    ["BINDERY_PUBLIC_URL", "data.example.org"],
    ["BINDERY_PUBLIC_URL", "ftp://data.example.org"],
    ["BINDERY_PUBLIC_URL", "https://data.example.org/?a=1"],
    ["BINDERY_PUBLIC_URL", "https://["],
    ["BINDERY_CACHE_MB", "a lot"],
    ["BINDERY_WORKERS", "0"],
    ["BINDERY_SEARCH_PREFIX", "bindery-1"],
    ["BINDERY_SEARCH_PREFIX", "a".repeat(41)],
    ["BINDERY_SEARCH_TIMEOUT_MS", "0"],
    ["BINDERY_SEARCH_TIMEOUT_MS", "2s"],
    ["BINDERY_LOG_LEVEL", "loud"],
    ["BINDERY_RATE_LIMITS", "100/minute"],
    ["BINDERY_TRUSTED_PROXIES", "localhost"],
    ["BINDERY_METRICS", "on"],
    ["BINDERY_LOOKUP", "ror,orcid"],
    ["BINDERY_LOOKUP", "ror, ncbi"],
    ["BINDERY_LOOKUP_TIMEOUT_MS", "0"],
    ["BINDERY_LOOKUP_EMAIL", "nobody"],
    ["BINDERY_LOOKUP_ROR_URL", "http://ror.example.org"],
    ["BINDERY_LOOKUP_ROR_URL", "http://127.0.0.1@ror.example.org"],
    ["BINDERY_LOOKUP_ROR_URL", "http://127.0.0.1.example.org"],
    ["BINDERY_LOOKUP_ROR_URL", "https://user:password@ror.example.org"],
    ["BINDERY_LOOKUP_ROR_URL", "https://ror.example.org/?key=1"],
    ["BINDERY_LOOKUP_ROR_URL", "https://["],
    ["BINDERY_LOOKUP_ROR_URL", "file:///etc/passwd"],
  ])("refuses %s=%s and says what it must be", (name, value) => {
    expect(messageOf({ [name]: value })).toMatch(new RegExp(`^Bad configuration:\n {2}${name}=.*: it must be .+\\.$`));
  });

  it("says in words what each setting may be, also one with a pattern", () => {
    const patterns = Object.entries(ConfigSchema.properties).filter(([, schema]) => "pattern" in schema);
    expect(patterns.length).toBeGreaterThan(3);
    for (const [name] of patterns) expect(SETTINGS.find((each) => each.name === name)?.allowed).not.toBe("text");
  });

  it("lists every bad and every unknown variable at once", () => {
    const message = messageOf({ BINDERY_PORT: "x", BINDERY_PROT: "1", BINDERY_ZEBRA: "1", BINDERY_LOG_LEVEL: "x" });
    expect(message.split("\n")).toEqual([
      "Bad configuration:",
      "  BINDERY_PROT: there is no such setting; did you mean BINDERY_PORT?",
      "  BINDERY_ZEBRA: there is no such setting; `bindery config` lists the settings",
      '  BINDERY_PORT="x": it must be a whole number from 0 to 65535.',
      '  BINDERY_LOG_LEVEL="x": it must be one of trace, debug, info, warn, error, fatal, silent.',
    ]);
  });

  it("never shows a bad value of a secret", () => {
    expect(messageOf({ BINDERY_METRICS_TOKEN: "too short" })).toMatch(/BINDERY_METRICS_TOKEN=\*\*\*: it must be/);
  });

  describe("a secret in a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "bindery-secrets-"));
    const url = "postgres://bindery:secret@db.example.org:5432/bindery";
    const fileWith = (text: string): string => {
      const file = join(folder, "secret");
      writeFileSync(file, text);
      return file;
    };
    afterAll(() => rmSync(folder, { recursive: true }));

    it("is read as if it stood in its variable, without what ends the line", () => {
      expect(loadConfig({ BINDERY_DATABASE_URL_FILE: fileWith(`${url}\n`) }).databaseUrl).toBe(url);
      const env = { BINDERY_METRICS_TOKEN_FILE: fileWith("a-token-of-some-length\r\n"), BINDERY_DATABASE_URL_FILE: "" };
      expect(loadConfig(env)).toMatchObject({ metricsToken: "a-token-of-some-length", databaseUrl: "" });
    });

    it.each([
      [
        "cannot be read",
        () => join(folder, "nowhere"),
        /^ {2}BINDERY_DATABASE_URL_FILE=".*": .* be read \(ENOENT\)\.$/m,
      ],
      ["is a folder", () => folder, /BINDERY_DATABASE_URL_FILE=".*": the file cannot be read \(EISDIR\)\./],
      ["is empty", () => fileWith(" \n"), /BINDERY_DATABASE_URL_FILE=".*": the file is empty\./],
      ["has something else", () => fileWith("secret"), /BINDERY_DATABASE_URL_FILE=\*\*\*: it must be a URL/],
    ])("is refused where the file %s, and not shown", (_, file, message) => {
      expect(messageOf({ BINDERY_DATABASE_URL_FILE: file() })).toMatch(message);
      expect(messageOf({ BINDERY_DATABASE_URL_FILE: fileWith("secret") })).not.toContain("=secret");
    });

    it("is refused beside its variable, and for what is no secret", () => {
      const both = { BINDERY_DATABASE_URL: url, BINDERY_DATABASE_URL_FILE: fileWith(url) };
      expect(messageOf(both)).toContain("are both set: set only one of them");
      expect(messageOf({ BINDERY_PORT_FILE: fileWith("80") })).toContain("BINDERY_PORT_FILE: there is no such setting");
    });
  });

  describe("a file of certificates", () => {
    const folder = mkdtempSync(join(tmpdir(), "bindery-certificates-"));
    const fileWith = (text: string): string => {
      const file = join(folder, "ca.pem");
      writeFileSync(file, text);
      return file;
    };
    const { cert } = LOCALHOST_CERTIFICATE;
    afterAll(() => rmSync(folder, { recursive: true }));

    it("is read where it is used", () => {
      const file = fileWith(`${cert}${cert}`);
      expect(searchCaOf(loadConfig({ BINDERY_SEARCH_CA: file }))).toBe(`${cert}${cert}`);
      expect(searchCaOf(loadConfig({}))).toBeUndefined();
    });

    it.each([
      ["cannot be read", () => join(folder, "nowhere"), /^ {2}BINDERY_SEARCH_CA=".*": .* be read \(ENOENT\)\.$/m],
      ["has none", () => fileWith(LOCALHOST_CERTIFICATE.key), /BINDERY_SEARCH_CA=".*": the file has no certificate/],
      [
        "has a damaged one",
        () => fileWith(cert + cert.replace("MIIB", "MIIC")),
        /a certificate in the file is damaged\./,
      ],
    ])("is refused where it %s", (_, file, message) => {
      expect(messageOf({ BINDERY_SEARCH_CA: file() })).toMatch(message);
    });
  });

  it("either gives a whole configuration or a message that names the variable", () => {
    const names = SETTINGS.map((setting) => setting.variable);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string(), (name, value) => {
        const message = messageOf({ [name]: value });
        if (message !== "") expect(message).toContain(name);
      }),
    );
  });
});

describe("what follows from a configuration", () => {
  it("asks no authority unless it is named, each at its own address", () => {
    expect(lookupUrlsOf(loadConfig({}))).toEqual(new Map());
    const env = { BINDERY_LOOKUP: "ncbi,ror", BINDERY_LOOKUP_NCBI_URL: "http://localhost:8080/ncbi/" };
    expect([...lookupUrlsOf(loadConfig(env))]).toEqual([
      ["ror", "https://api.ror.org"],
      ["ncbi", "http://localhost:8080/ncbi"],
    ]);
    const local = ["http://127.0.0.1:9", "http://[::1]:9/x", "https://ror.example.org/mirror"];
    for (const url of local) expect(loadConfig({ BINDERY_LOOKUP_ROR_URL: url }).lookupRorUrl).toBe(url);
  });

  it("splits the catalog's folders and leaves empty ones out", () => {
    expect(catalogFolders(loadConfig({ BINDERY_CATALOG: ":/a::/b" }))).toEqual(["/a", "/b"]);
    expect(catalogFolders(loadConfig({}))).toEqual([]);
  });

  it.each([
    [{}, "http://127.0.0.1:81"],
    [{ BINDERY_HOST: "0.0.0.0" }, "http://127.0.0.1:81"],
    [{ BINDERY_HOST: "::" }, "http://127.0.0.1:81"],
    [{ BINDERY_HOST: "::1" }, "http://[::1]:81"],
    [{ BINDERY_HOST: "repo.local" }, "http://repo.local:81"],
    [{ BINDERY_PUBLIC_URL: "https://data.example.org" }, "https://data.example.org"],
  ])("makes links from %j", (env, url) => {
    expect(publicUrlOf(loadConfig(env), 81)).toBe(url);
  });

  it.each(["0.0.0.0", "::", "192.0.2.7", "repo.example.org"])("warns of links where %s is listened on", (host) => {
    const said = addressWarning(loadConfig({ BINDERY_HOST: host }), 81);
    expect(said).toContain(`begin with ${publicUrlOf(loadConfig({ BINDERY_HOST: host }), 81)}, which`);
    const told = loadConfig({ BINDERY_HOST: host, BINDERY_PUBLIC_URL: "https://data.example.org" });
    expect(addressWarning(told, 81)).toBeUndefined();
  });

  it.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])(
    "warns of nothing where only this machine reaches %s",
    (host) => {
      expect(addressWarning(loadConfig({ BINDERY_HOST: host }), 81)).toBeUndefined();
    },
  );

  it("does not show a secret", () => {
    const token = SETTINGS.find(({ name }) => name === "metricsToken")!;
    expect(showValue(token, "a-token-for-the-metrics-only")).toBe("***");
    expect(showValue(token, "")).toBe("");
  });
});
