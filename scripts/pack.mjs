/**
 * What `npm pack` does around the build (docs/decisions/0012):
 *
 *   node scripts/pack.mjs prepare   writes dist/sbom.json; leaves in package.json what is installed with the package
 *   node scripts/pack.mjs restore   brings package.json back
 *   node scripts/pack.mjs publish   refuses, and says what to publish
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXTERNAL } from "./build.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, "package.json");
const kept = join(root, "node_modules/.bindery-package.json");

/** The text of package.json without the dependencies that are in the bundle, or only for development. */
export function stripManifest(text) {
  const { devDependencies: _, ...rest } = JSON.parse(text);
  const dependencies = Object.entries(rest.dependencies).filter(([name]) => EXTERNAL.some((each) => each.test(name)));
  return print({ ...rest, dependencies: Object.fromEntries(dependencies) });
}

/**
 * The bill of materials (CycloneDX, JSON) of what runs, bundled or installed, made from the lock file. npm makes it in
 * a folder that knows no development dependencies: `--omit dev` would leave out also what both kinds need.
 */
export function makeSbom() {
  const temporary = mkdtempSync(join(tmpdir(), "bindery-sbom-"));
  try {
    const { devDependencies: _, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
    // npm names what it describes by its folder.
    const folder = join(temporary, rest.name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), print(rest));
    copyFileSync(join(root, "package-lock.json"), join(folder, "package-lock.json"));
    const options = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
    const npm = (...args) => execFileSync("npm", [...args, "--package-lock-only"], options);
    npm("install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund");
    return npm("sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application");
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function prepare() {
  restore();
  writeFileSync(join(root, "dist/sbom.json"), makeSbom());
  copyFileSync(manifest, kept);
  writeFileSync(manifest, stripManifest(readFileSync(kept, "utf8")));
}

/** What was kept by a packing that broke off, and is no longer what package.json was made of, is out of date. */
function restore() {
  if (!existsSync(kept)) return;
  const text = readFileSync(kept, "utf8");
  if (readFileSync(manifest, "utf8") === stripManifest(text)) writeFileSync(manifest, text);
  rmSync(kept);
}

/** From a folder npm tells the registry of the package.json that is there after the packing: with all dependencies. */
function publish() {
  process.stderr.write("Publish the packed file: npm pack, then npm publish <file>.tgz\n");
  process.exitCode = 1;
}

const print = (value) => `${JSON.stringify(value, null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = { prepare, restore, publish }[process.argv[2]];
  if (run === undefined) throw new Error("usage: node scripts/pack.mjs prepare | restore | publish");
  run();
}
