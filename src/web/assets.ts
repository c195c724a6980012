import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** File that pages load. Its name contains a hash of its content. */
interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Folder of assets relative to the bundled program. */
const BUILT = fileURLToPath(new URL("../assets/", import.meta.url));
/** Folder of assets of the last build, relative to sources and compiled modules. Only a build bundles scripts. */
const LAST_BUILT = fileURLToPath(new URL("../../dist/assets/", import.meta.url));
/** Folder of style sheets, relative to sources and compiled modules. */
const STYLES = fileURLToPath(new URL("../../src/web/styles/", import.meta.url));

/** Cascade layers with their files. Later layers win. */
const LAYERS = {
  reset: ["reset"],
  tokens: ["tokens"],
  base: ["base"],
  parts: ["parts", "numbers", "search-parts", "facets", "structures", "islands"],
  pages: ["pages", "record", "compare"],
};

/** Returns the style sheet of all pages: that of the build, or, if there is no build, the joined sources. */
export function readStyleSheet(): Asset {
  const name = existsSync(BUILT) ? readdirSync(BUILT).find((file) => file.endsWith(".css")) : undefined;
  return name === undefined ? joinStyles() : { name, type: CSS, text: readFileSync(BUILT + name, "utf8") };
}

/** Returns the bundled scripts by name. Without a build there are no scripts, and pages work without them. */
export function readScripts(): ReadonlyMap<string, Asset> {
  const folder = [BUILT, LAST_BUILT].find(existsSync);
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".js"));
  return new Map(
    files.map((name) => [
      name.slice(0, name.indexOf("-")),
      { name, type: SCRIPT, text: readFileSync(folder + name, "utf8") },
    ]),
  );
}

/** Writes the style sheet into a folder. The build calls this. */
export function saveStyleSheet(folder: string): void {
  const { name, text } = joinStyles();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}`, text);
}

function joinStyles(): Asset {
  const layers = Object.entries(LAYERS).map(
    ([layer, files]) => `@layer ${layer} {\n${files.map(read).map(withoutComments).join("")}}\n`,
  );
  const text = `@layer ${Object.keys(LAYERS).join(", ")};\n${layers.join("")}`;
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);
  return { name: `style-${hash}.css`, type: CSS, text };
}

const read = (file: string): string => readFileSync(`${STYLES}${file}.css`, "utf8");
/** Removes comments and indentation. */
const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s+/gm, "");

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
/** Length of a hash in a file name: 60 bits. */
const HASH_LENGTH = 10;
