import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CARD, HELP_DOCS } from "./pages/help-pages.js";

/** A file that pages load. Its name contains a hash of its content. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}

/** Folder of assets relative to the bundled program. */
const BUILT = fileURLToPath(new URL("../assets/", import.meta.url));
/** Folder of assets of the last build, relative to sources and compiled modules. Only a build bundles scripts. */
const LAST_BUILT = fileURLToPath(new URL("../../dist/assets/", import.meta.url));
/** Folder of style sheets, relative to sources and compiled modules. */
const STYLES = fileURLToPath(new URL("../../src/web/styles/", import.meta.url));
/** Folder of the typeface and the icons, relative to sources and compiled modules. `scripts/face.mjs` makes them. */
const STATIC = fileURLToPath(new URL("../../src/web/static/", import.meta.url));
/** Folders of the documentation: that of the build, and that of the sources. */
const DOCS = ["../help/", "../../docs/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

/** Cascade layers with their files. Later layers win. */
const LAYERS = {
  reset: ["reset"],
  tokens: ["tokens"],
  base: ["base"],
  parts: ["parts", "numbers", "search-parts", "facets", "structures", "islands"],
  pages: ["pages", "record", "compare", "help"],
};

/** Style sheet, typefaces and icons of all pages. `oldIcon` is for browsers that do not draw an SVG as an icon. */
export interface Look {
  readonly sheet: Asset;
  readonly font: Asset;
  readonly italic: Asset;
  readonly icon: Asset;
  readonly oldIcon: Asset;
}

/** Returns the look of all pages: that of the build, or, if there is no build, that of the sources. */
export function readLook(): Look {
  if (!existsSync(BUILT)) return lookOfSources();
  const files = readdirSync(BUILT);
  const read = (start: string, ending: keyof typeof TYPES): Asset => {
    const name = files.find((file) => file.startsWith(`${start}-`) && file.endsWith(`.${ending}`))!;
    return { name, type: TYPES[ending], body: readFileSync(BUILT + name) };
  };
  return mapLook(read);
}

/** Makes each file of the look from the beginning and the ending of its name. */
const mapLook = (make: (start: string, ending: keyof typeof TYPES) => Asset): Look => ({
  sheet: make("style", "css"),
  font: make("bindery-sans", "woff2"),
  italic: make("bindery-italic", "woff2"),
  icon: make("favicon", "svg"),
  oldIcon: make("favicon", "ico"),
});

/** Returns the bundled scripts by name. Without a build there are no scripts, and pages work without them. */
export function readScripts(): ReadonlyMap<string, Asset> {
  const folder = [BUILT, LAST_BUILT].find(existsSync);
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".js"));
  return new Map(
    files.map((name) => [
      name.slice(0, name.indexOf("-")),
      { name, type: TYPES.js, body: readFileSync(folder + name) },
    ]),
  );
}

/** Writes the style sheet, the typeface and the icons into a folder. The build calls this. */
export function saveLook(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, body } of Object.values(lookOfSources())) writeFileSync(`${folder}/${name}`, body);
}

/** Reads a page of the documentation. @param page its file name without an ending */
export function readDoc(page: string): string {
  return readFileSync(`${DOCS.find(existsSync)}${page}.md`, "utf8");
}

/** Copies the pages of the documentation that the help shows into a folder. The build calls this. */
export function saveDocs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const page of [CARD, ...HELP_DOCS.values()]) writeFileSync(`${folder}/${page}.md`, readDoc(page));
}

function lookOfSources(): Look {
  const fonts = new Map<string, string>();
  const { sheet, ...files } = mapLook((start, ending) => {
    if (ending === "css") return assetOf(start, ending, joinStyles());
    const file = `${start}.${ending}`;
    const asset = assetOf(start, ending, readFileSync(STATIC + file));
    if (ending === "woff2") fonts.set(file, asset.name);
    return asset;
  });
  // The style sheet names the files of the typefaces.
  const text = sheet.body.toString().replaceAll(/[\w-]+\.woff2/g, (file) => fonts.get(file) ?? file);
  return { sheet: assetOf("style", "css", Buffer.from(text)), ...files };
}

function joinStyles(): Buffer {
  const layers = Object.entries(LAYERS).map(
    ([layer, files]) => `@layer ${layer} {\n${files.map(readStyles).map(withoutComments).join("")}}\n`,
  );
  return Buffer.from(`@layer ${Object.keys(LAYERS).join(", ")};\n${layers.join("")}`);
}

/** Returns a file under a name with its hash. */
export function assetOf(name: string, ending: keyof typeof TYPES, body: Buffer): Asset {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, HASH_LENGTH);
  return { name: `${name}-${hash}.${ending}`, type: TYPES[ending], body };
}

const readStyles = (file: string): string => readFileSync(`${STYLES}${file}.css`, "utf8");
/** Removes comments and indentation. */
const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s+/gm, "");

const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/vnd.microsoft.icon",
} as const;
/** Length of a hash in a file name: 60 bits. */
const HASH_LENGTH = 10;
