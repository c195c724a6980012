import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file that pages load, under a name that changes with its content. */
interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Beside the bundled program. */
const BUILT = fileURLToPath(new URL("../assets/", import.meta.url));
/** The same of the last build, seen from the sources and their compiled modules: scripts are there only bundled. */
const LAST_BUILT = fileURLToPath(new URL("../../dist/assets/", import.meta.url));
/** In the sources, seen from them and from their compiled modules. */
const STYLES = fileURLToPath(new URL("../../src/web/styles/", import.meta.url));

/** The layers of the cascade, of which later ones win, and their files. */
const LAYERS = {
  reset: ["reset"],
  tokens: ["tokens"],
  base: ["base"],
  parts: ["parts", "search-parts", "facets", "structures", "islands"],
  pages: ["pages", "compare"],
};

/** The style sheet of all pages: as the build wrote it, or, where nothing is built, made of the sources. */
export function readStyleSheet(): Asset {
  const name = existsSync(BUILT) ? readdirSync(BUILT).find((file) => file.endsWith(".css")) : undefined;
  return name === undefined ? joinStyles() : { name, type: CSS, text: readFileSync(BUILT + name, "utf8") };
}

/** The scripts of pages by their names, as the build bundled them; none where nothing is built: pages do without. */
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
/** Comments and indentation are for readers of the sources. */
const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s+/gm, "");

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
/** 60 bits: two contents never meet in one name. */
const HASH_LENGTH = 10;
