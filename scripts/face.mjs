/**
 * Makes the files of src/web/static again, which are in the repository because their tools are needed once in years.
 *
 *   node scripts/face.mjs font     bindery-sans.woff2 and bindery-italic.woff2: subsets of Source Sans 3
 *   node scripts/face.mjs icon     favicon.ico: favicon.svg in 32 x 32 pixels, for browsers that draw no SVG there
 *
 * The licence of Source Sans reserves its name for the original, so the subset has a name of its own.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const TOOLS = ["source-sans@3.52.0", "subset-font@2.9.0"];
const ORIGINALS = "source-sans/WOFF2/VF/SourceSans3VF-";
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "src/web/static");

/** The characters from the first to the last. */
const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join("");

/** What pages of this field are written with. Another character comes from a font of the system. */
const CHARACTERS = [
  range(0x20, 0x7e),
  // Latin-1 and Latin Extended-A, with the letters of Romanian that are beyond.
  range(0xa0, 0x17f) + range(0x218, 0x21b),
  // Greek.
  range(0x391, 0x3a1) + range(0x3a3, 0x3a9) + range(0x3b1, 0x3c9),
  "ϕ",
  // Superscripts and subscripts.
  "⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿ",
  range(0x2080, 0x208b),
  // Blanks, hyphens and dashes, quotation marks, signs of text.
  range(0x2007, 0x200a),
  "\u2010\u2011\u202f",
  "–—‘’‚“”„†‡•…‰′″‹›⁄€™",
  // Signs of mathematics, arrows, signs of pages.
  "−∂∆∏∑√∞≈≠≤≥←↑→↓↗✓✗▸▾◂▴",
].join("");

/** What stands in italics: names of species, symbols of quantities, and some words. */
const ITALIC_CHARACTERS = [range(0x41, 0x5a), range(0x61, 0x7a), "\u0020\u00a00123456789.,:;()/'-–’·ΔΩ"].join("");

/** Kerning, and letters as a language writes them. Digits of this typeface have one width. */
const FEATURES = ["kern", "locl"];

async function makeFont() {
  const tools = mkdtempSync(join(tmpdir(), "bindery-font-"));
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", tools, ...TOOLS], { stdio: "inherit" });
    const require = createRequire(join(tools, "index.js"));
    const subsetFont = require("subset-font");
    const fontverter = createRequire(require.resolve("subset-font"))("fontverter");
    let bytes = 0;
    for (const [name, style, characters, wght] of [
      ["bindery-sans", "Upright", CHARACTERS, { min: 400, max: 600 }],
      ["bindery-italic", "Italic", ITALIC_CHARACTERS, 400],
    ]) {
      const original = readFileSync(require.resolve(`${ORIGINALS}${style}.ttf.woff2`));
      const subset = await subsetFont(original, characters, {
        targetFormat: "truetype",
        variationAxes: { wght },
        keepFeatures: FEATURES,
        noHinting: true,
      });
      const font = await fontverter.convert(rename(subset), "woff2");
      writeFileSync(join(folder, `${name}.woff2`), font);
      bytes += font.length;
      process.stdout.write(`${name}: ${font.length} bytes\n`);
    }
    copyFileSync(join(dirname(require.resolve("source-sans/package.json")), "LICENSE.md"), join(folder, "OFL.md"));
    process.stdout.write(`${bytes} bytes together\n`);
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}

/** Gives a font another name of the same length; what it says of its origin and licence stays. */
function rename(font) {
  const named = Buffer.from(font);
  for (const [name, other] of [
    ["Source Sans", "Binder Sans"],
    ["SourceSans", "BinderSans"],
  ]) {
    const bytes = (text) => Buffer.from(text, "utf16le").swap16();
    for (let at = named.indexOf(bytes(name)); at !== -1; at = named.indexOf(bytes(name), at))
      bytes(other).copy(named, at);
  }
  return named;
}

/** The circles of favicon.svg, in its units: a molecule, its pocket, and what is bound there. */
const [MOLECULE, POCKET, BOUND] = [
  { x: 11.5, y: 12.5, r: 9.5 },
  { x: 17.6, y: 6.4, r: 5.9 },
  { x: 17.6, y: 6.4, r: 4.4 },
];
const UNITS = 24;
const PIXELS = 32;
/** Points in each direction by which a pixel is measured. */
const POINTS = 8;

function makeIcon() {
  const [, molecule, bound] = /fill="(#\w{6})"[\s\S]*fill="(#\w{6})"/.exec(
    readFileSync(join(folder, "favicon.svg"), "utf8"),
  );
  const isIn = ({ x, y, r }, point) => Math.hypot(point.x - x, point.y - y) <= r;
  const colorAt = (point) => {
    if (isIn(BOUND, point)) return bound;
    return isIn(MOLECULE, point) && !isIn(POCKET, point) ? molecule : undefined;
  };
  const pixel = (column, row) => {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < POINTS ** 2; i++) {
      const at = (pixels, step) => ((pixels + (step + 0.5) / POINTS) * UNITS) / PIXELS;
      const color = colorAt({ x: at(column, i % POINTS), y: at(row, Math.floor(i / POINTS)) });
      if (color === undefined) continue;
      for (const part of [0, 1, 2]) sum[part] += Number.parseInt(color.slice(1 + 2 * part, 3 + 2 * part), 16);
      sum[3] += 1;
    }
    const [red, green, blue, points] = sum;
    if (points === 0) return [0, 0, 0, 0];
    return [red / points, green / points, blue / points, (255 * points) / POINTS ** 2].map(Math.round);
  };
  const numbers = Array.from({ length: PIXELS }, (_, n) => n);
  const png = encodePng(numbers.map((row) => numbers.flatMap((column) => pixel(column, row))));
  // One entry of 32 x 32 pixels and 32 bits, which begins after the 22 bytes of both heads.
  const head = Buffer.from([0, 0, 1, 0, 1, 0, PIXELS, PIXELS, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(png.length, 14);
  writeFileSync(join(folder, "favicon.ico"), Buffer.concat([head, png]));
}

/** @param rows of red, green, blue and opacity of each pixel */
function encodePng(rows) {
  const chunk = (type, data) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rows[0].length / 4, 0);
  head.writeUInt32BE(rows.length, 4);
  head.set([8, 6], 8);
  const lines = rows.map((row) => Buffer.from([0, ...row]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(lines), { level: 9 });
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

const MAKERS = { font: makeFont, icon: makeIcon };
const names = process.argv.slice(2);
if (names.length === 0 || names.some((name) => !Object.hasOwn(MAKERS, name))) {
  process.stderr.write(`Name what is to be made: ${Object.keys(MAKERS).join(", ")}\n`);
  process.exit(2);
}
for (const name of names) await MAKERS[name]();
