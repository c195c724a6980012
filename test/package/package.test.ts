import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Names that nobody else had in npm's registry: docs/decisions/0013. */
const SERVICE = "bindery-repository";
const CLIENT = `${SERVICE}-client`;

/** Compiling the database driver takes a minute or more. */
const INSTALL_MS = 600_000;

/** What someone writes who has installed the package: in TypeScript, and the same without its types. */
const SCRIPT = `import { type BinderyError, createClient } from "bindery-repository-client";
import type { Entity, MstMetadata } from "bindery-repository-client";

const [url = "", token = ""] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2);
const mst = createClient({ url, token }).model("mst");
const metadata: MstMetadata = await mst.example();
const draft = await mst.deposit(metadata);
const { id } = await mst.publish(draft.id);
for await (const record of mst.all({ q: "carbonic" })) {
  const [entity]: Entity[] = record.metadata.general_parameters.entities_of_interest;
  if (record.id === id) console.log(entity?.type);
}
const error: BinderyError = await mst.read("zv0gv-btp27").catch((thrown) => thrown);
console.log(error.code);
`;
const SCRIPT_PRINTS = "Polymer\nRECORD_NOT_FOUND\n";

/** The ways in which projects of today find types. */
const RESOLUTIONS = [
  ["--module", "nodenext"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
] as const;

/** Compiles the script in each way, which tells of a wrong type too, and runs what was made. */
function runScript(folder: string, url: string, token: string): string[] {
  writeFileSync(join(folder, "use.mts"), SCRIPT);
  const options = ["--strict", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"];
  return RESOLUTIONS.map((resolution) => {
    rmSync(join(folder, "use.mjs"), { force: true });
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, ...options, ...resolution, "use.mts"], { cwd: folder, stdio: "pipe" });
    return execFileSync(process.execPath, ["use.mjs", url, token], { cwd: folder, encoding: "utf8" });
  });
}

/** Headers of this Node for compiling, where it came with some; else npm fetches them. */
function compileEnvironment(): NodeJS.ProcessEnv {
  const prefix = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(prefix, "include/node/node.h"));
  return { ...process.env, ...(hasHeaders ? { npm_config_nodedir: prefix } : {}) };
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync("npm", args, { cwd, env: compileEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
}

/** Packs the package in `from` and installs it into an empty folder. @returns what stands in its node_modules */
function installPacked(from: string, folder: string): string[] {
  mkdirSync(folder);
  npm(ROOT, "pack", from, "--pack-destination", folder);
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  // npm asks which packages may run scripts: the database driver compiles itself.
  const manifest = { private: true, allowScripts: { "better-sqlite3": true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  npm(folder, "install", `./${packed}`);
  return readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
}

/** Files of an installed package, without those that npm always adds. */
function filesOf(folder: string, name: string): string[] {
  const files = readdirSync(join(folder, "node_modules", name)).sort();
  return files.filter((file) => !/^(README\.md|LICENSE|CHANGELOG\.md)$/.test(file));
}

const readJson = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));

/** Names of the packages that a bill of materials lists. */
function componentsOf(sbom: Record<string, unknown>): string[] {
  return (sbom.components as { name: string }[]).map(({ name }) => name);
}

/** Starts an installed service. */
async function startInstalled(bin: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
  const server = spawn(bin, ["serve"], options);
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const found = /^Bindery serves (http\S+) \(data in \.\/bindery-data\)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then((code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const stop = (): Promise<number | null> => {
    server.kill("SIGTERM");
    return ended;
  };
  return { url, stop };
}

it.runIf(process.env.TEST_LONG)(
  "is packed, installed into an empty folder, serves from there, and is used by its client, which is installed alone",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bindery-package-"));
    const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
    const [service, project] = [join(folder, "service"), join(folder, "project")];
    try {
      expect(installPacked(".", service)).toContain("better-sqlite3");
      expect(filesOf(service, SERVICE)).toEqual(["bin", "catalog", "demo", "dist", "package.json"]);
      const dist = readdirSync(join(service, "node_modules", SERVICE, "dist"), { recursive: true, encoding: "utf8" });
      expect(dist.filter((name) => name.endsWith(".d.ts") || name.startsWith("client"))).toEqual([]);
      const installed = readJson(join(service, "node_modules", SERVICE, "package.json"));
      expect(installed).toMatchObject({ dependencies: { "better-sqlite3": expect.any(String) } });
      expect(Object.keys(installed.dependencies as object)).toEqual(["better-sqlite3"]);
      expect(componentsOf(readJson(join(service, "node_modules", SERVICE, "dist/sbom.json")))).toContain("fastify");
      expect(readFileSync(join(ROOT, "package.json"), "utf8")).toBe(manifest);

      expect(installPacked("./dist/client", project)).toEqual([CLIENT]);
      expect(filesOf(project, CLIENT)).toContain("index.d.ts");

      const options = { cwd: service, env: { ...process.env, BINDERY_PORT: "0" } };
      const bin = join(service, "node_modules/.bin/bindery");
      const bindery = (...args: string[]) => execFileSync(bin, args, { ...options, encoding: "utf8" });
      const { url, stop } = await startInstalled(bin, options);
      try {
        const response = await fetch(`${url}/api/vocabularies/organisms/taxid:562`);
        expect(await response.json()).toMatchObject({ id: "taxid:562" });
        bindery("user", "add", "ada");
        const token = bindery("token", "create", "--user", "ada", "--scope", "records:write").trim();
        expect(runScript(project, url, token)).toEqual(RESOLUTIONS.map(() => SCRIPT_PRINTS));
      } finally {
        expect(await stop()).toBe(0);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  INSTALL_MS,
);

it("has the name of nobody else's package, and a client of the same version that needs no other package", () => {
  const [service, client] = [readJson(join(ROOT, "package.json")), readJson(join(ROOT, "dist/client/package.json"))];
  expect(service).toMatchObject({ name: SERVICE, bin: { bindery: "bin/bindery.mjs" } });
  expect(client).toMatchObject({ name: CLIENT, version: service.version, license: service.license });
  expect(Object.keys(client).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

/** Begins the text of each package in dist/LICENSES.txt: `name version: licence`. */
const LICENCE = /^(@?[a-z][\w./-]*) (\d+\.\d+\.\d+\S*): /gm;

it("has a bill of materials of what is bundled or installed, without what only development needs", async () => {
  const { makeSbom } = (await import(join(ROOT, "scripts/pack.mjs"))) as { makeSbom(): string };
  const sbom = JSON.parse(makeSbom());
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: SERVICE } } });
  const listed = sbom.components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`);
  const licences = readFileSync(join(ROOT, "dist/LICENSES.txt"), "utf8");
  const bundled = [...licences.matchAll(LICENCE)].map(([, name, version]) => `${name} ${version}`);
  expect(bundled.length).toBeGreaterThan(30);
  expect(listed).toEqual(expect.arrayContaining(bundled));
  expect(componentsOf(sbom)).toEqual(expect.arrayContaining(["better-sqlite3", "better-sqlite3-node20"]));
  const { devDependencies } = readJson(join(ROOT, "package.json"));
  expect(componentsOf(sbom).filter((name) => Object.hasOwn(devDependencies as object, name))).toEqual([]);
});

it("is packed with the driver as its only dependency, whatever it is built from", async () => {
  const { stripManifest } = (await import(join(ROOT, "scripts/pack.mjs"))) as { stripManifest(text: string): string };
  const text = readFileSync(join(ROOT, "package.json"), "utf8");
  const [before, after] = [JSON.parse(text), JSON.parse(stripManifest(text))];
  const { "better-sqlite3": driver } = before.dependencies;
  const { devDependencies: _, ...rest } = before;
  expect(after).toEqual({ ...rest, dependencies: { "better-sqlite3": driver } });
  expect(before.dependencies).toHaveProperty("fastify");
});
