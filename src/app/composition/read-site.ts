import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Declaration,
  formatProblem,
  type Place,
  Problems,
  parseYamlDeclaration,
} from "../../core/declarations/declaration.js";
import { isObject } from "../../core/json.js";
import { nearestNames } from "../../core/nearest.js";
import type { OperatorSite, SiteText } from "../../web/operator-site.js";
import { PAPERS } from "../../web/parts/frame.js";
import { hrefsOf, parseMarkdown } from "../../web/parts/markdown.js";
import { StartupError } from "./startup-errors.js";

/** File of a site folder with everything that is not a page. */
const SITE_FILE = "site.yaml";
const PROPERTIES = ["title", "description", "accent", "accent_dark", "logo", "contact", "pages"] as const;
const CONTACT_PROPERTIES = ["name", "email", "url"] as const;

/** Order of pages that are not listed. Further pages follow by name. */
const USUAL_ORDER = ["about", "imprint", "privacy", "accessibility", "licence"];

/** Maximum size of a logo, which each page shows, and of a page, in bytes. */
const LOGO_BYTES_MAX = 100_000;
const PAGE_BYTES_MAX = 500_000;

/** Least contrast of text to its ground (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;

const LOGO_TYPES: Readonly<Record<string, string>> = { svg: "image/svg+xml", png: "image/png" };

/** Markup of an SVG that can run scripts or load files. */
const ACTIVE_SVG =
  /<script|<foreignObject|\son[a-z]+\s*=|javascript:|<!ENTITY|(?:href|src)\s*=(?!\s*["']?(?:#|data:image\/))|@import|url\((?!\s*["']?(?:#|data:image\/))/i;

/**
 * Reads and checks the folder of `BINDERY_SITE`.
 *
 * @throws StartupError that lists all mistakes, each with its file, its line and what to do
 */
export function readSite(folder: string): OperatorSite {
  const problems = new Problems();
  const files = listFiles(folder);
  const declaration = readDeclaration(folder, files, problems);
  const site = readProperties(declaration, problems);
  const texts = files.filter((file) => file.endsWith(".md")).map((file) => readText(folder, file, problems));
  for (const text of texts) checkLinks(text, texts, problems);
  const logo = site.logo === undefined ? undefined : readLogo(folder, site.logo, files, declaration, problems);
  const pages = orderPages(texts, site.pages, declaration, problems);
  if (problems.list.length > 0) {
    const lines = problems.list.map((problem) => `  ${formatProblem(problem)}`);
    throw new StartupError(`The folder of BINDERY_SITE (${folder}) has mistakes:\n${lines.join("\n")}`);
  }
  return { ...site, logo, pages };
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `BINDERY_SITE=${JSON.stringify(folder)}: the folder cannot be read (${code}). ` +
        "Set it to the folder with your site.yaml and pages, or leave it empty.",
    );
  }
}

/** Reads a file of the folder. Adds a problem and returns undefined if it cannot be read. */
function readBytes(folder: string, file: string, problems: Problems): Buffer | undefined {
  const report = (reason: string) => problems.list.push({ file, line: 1, reason });
  try {
    return readFileSync(join(folder, file));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    report(
      code === "EISDIR"
        ? "it is a folder, not a file: rename it, or move its files to the folder above"
        : `it cannot be read (${code}): check its permissions, or remove it`,
    );
    return undefined;
  }
}

/**
 * Reads a text of the folder in UTF-8, without a byte order mark. Lines may end as Windows writes them. Adds a problem
 * and returns undefined if it cannot be read.
 */
function readUtf8(folder: string, file: string, problems: Problems): string | undefined {
  const bytes = readBytes(folder, file, problems);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    const line = lineOfInvalidByte(bytes);
    problems.list.push({ file, line, reason: "the text is not in UTF-8: save the file with the encoding UTF-8" });
    return undefined;
  }
}

/** Returns the number of the first line that is not in UTF-8. */
function lineOfInvalidByte(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1"))) + 1;
}

function readDeclaration(folder: string, files: readonly string[], problems: Problems): Declaration {
  const nothing: Declaration = { file: SITE_FILE, value: {}, locate: () => ({ file: SITE_FILE, line: 1 }) };
  const [other] = files.filter((file) => /^site\.ya?ml$/i.test(file) && file !== SITE_FILE);
  if (other !== undefined)
    problems.list.push({ file: other, line: 1, reason: `it is not read: rename it ${SITE_FILE}` });
  const text = files.includes(SITE_FILE) ? readUtf8(folder, SITE_FILE, problems) : undefined;
  if (text === undefined) return nothing;
  const declaration = parseYamlDeclaration(SITE_FILE, text, problems);
  if (declaration === undefined || declaration.value === null) return nothing;
  if (isObject(declaration.value)) return declaration;
  problems.add(declaration, [], `the file must have properties: ${PROPERTIES.join(", ")}`);
  return nothing;
}

/** Content of `site.yaml`. */
interface Properties extends Omit<OperatorSite, "logo" | "pages"> {
  /** File of the logo. */
  readonly logo: string | undefined;
  /** Names of pages whose links come first. */
  readonly pages: readonly string[];
}

function readProperties(declaration: Declaration, problems: Problems): Properties {
  const value = declaration.value as Readonly<Record<string, unknown>>;
  refuseUnknown(value, PROPERTIES, declaration, [], problems);
  const text = (name: (typeof PROPERTIES)[number]): string | undefined => {
    const given = value[name];
    if (given === undefined) return undefined;
    if (given === null) {
      problems.add(declaration, [name], `"${name}" has no value; a colour needs quotes: "#0a5a63"`);
      return undefined;
    }
    if (typeof given === "string" && given.trim() !== "" && given.length <= 200) return given.trim();
    problems.add(declaration, [name], `"${name}" must be a text of 1 to 200 characters`);
    return undefined;
  };
  const { pages } = value;
  const isList = Array.isArray(pages) && pages.every((page) => typeof page === "string");
  if (pages !== undefined && !isList) {
    problems.add(declaration, ["pages"], '"pages" must be a list of names of pages, such as [about, imprint]');
  }
  return {
    title: text("title"),
    description: text("description"),
    accent: readAccent(text("accent"), text("accent_dark"), declaration, problems),
    contact: readContact(value.contact, declaration, problems),
    logo: text("logo"),
    pages: isList ? pages : [],
  };
}

function refuseUnknown(
  value: object,
  known: readonly string[],
  declaration: Declaration,
  place: Place,
  problems: Problems,
): void {
  for (const name of Object.keys(value).filter((each) => !known.includes(each))) {
    const [nearest] = nearestNames(name, known, 1);
    const cure = nearest === undefined ? `there are ${known.join(", ")}` : `did you mean "${nearest}"?`;
    problems.add(declaration, [...place, name], `there is no property "${name}"; ${cure}`);
  }
}

function readContact(value: unknown, declaration: Declaration, problems: Problems): OperatorSite["contact"] {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    problems.add(declaration, ["contact"], '"contact" must have a "name" and an "email" or a "url"');
    return undefined;
  }
  refuseUnknown(value, CONTACT_PROPERTIES, declaration, ["contact"], problems);
  const { name, email, url } = value;
  const address = email ?? url;
  const isAddress =
    typeof address === "string" && (email === undefined ? /^https?:\/\/\S+$/ : /^[^\s@]+@[^\s@]+$/).test(address);
  if (typeof name === "string" && name.trim() !== "" && isAddress && (email === undefined || url === undefined)) {
    return { name: name.trim(), address };
  }
  const cure = '"contact" needs a "name" and either an "email" (data@example.org) or a "url" (https://...)';
  problems.add(declaration, ["contact"], cure);
  return undefined;
}

/** Returns the colours of links and buttons in both themes. That of the dark theme can be derived from the other. */
function readAccent(
  light: string | undefined,
  dark: string | undefined,
  declaration: Declaration,
  problems: Problems,
): OperatorSite["accent"] {
  if (light === undefined) {
    if (dark !== undefined) problems.add(declaration, ["accent_dark"], '"accent_dark" needs an "accent"');
    return undefined;
  }
  const colors = { light, dark: dark ?? lighten(light) };
  for (const [theme, name] of [
    ["light", "accent"],
    ["dark", "accent_dark"],
  ] as const) {
    const color = colors[theme];
    if (!COLOR.test(color)) {
      problems.add(declaration, [name], `"${name}" must be a colour such as "#0a5a63"`);
      return undefined;
    }
    const least = PAPERS[theme].reduce((min, paper) => Math.min(min, contrast(color, paper)), Number.POSITIVE_INFINITY);
    if (least >= CONTRAST_MIN) continue;
    const measured = least.toFixed(1);
    const cure = theme === "light" ? "choose a darker colour" : "choose a lighter colour, or leave it out";
    const reason = `"${name}" has a contrast of ${measured} : 1 against the background of pages in the ${theme} theme`;
    problems.add(
      declaration,
      [name],
      `${reason}, which makes links hard to read; it must be ${CONTRAST_MIN} : 1; ${cure}`,
    );
  }
  return colors;
}

const COLOR = /^#[0-9a-f]{6}$/i;

const channelsOf = (color: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Returns the contrast of two colours by WCAG 2.2, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b].map(luminance).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes a colour with white until it can be read on dark ground. */
function lighten(color: string): string {
  if (!COLOR.test(color)) return color;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = channelsOf(color).map((channel) => Math.round(channel + (255 - channel) * share));
    const lighter = `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (PAPERS.dark.every((paper) => contrast(lighter, paper) >= 1.4 * CONTRAST_MIN)) return lighter;
  }
  return "#ffffff";
}

/** Reads a page. Its title is its first heading. */
function readText(folder: string, file: string, problems: Problems): SiteText {
  const name = file.slice(0, -".md".length);
  const text = readUtf8(folder, file, problems);
  if (text === undefined) return { name, title: "", text: "" };
  const report = (reason: string) => problems.list.push({ file, line: 1, reason });
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    report("the name of a page must be lower-case letters, digits and hyphens: rename it");
  if (Buffer.byteLength(text) > PAGE_BYTES_MAX) report(`a page can have at most ${PAGE_BYTES_MAX} bytes: shorten it`);
  const { title } = parseMarkdown(text);
  if (title === "") report('the page has no title: begin it with a line such as "# Imprint"');
  return { name, title, text };
}

/** Refuses links that lead nowhere, and schemes other than those of web sites and mail. */
function checkLinks({ name, text }: SiteText, texts: readonly SiteText[], problems: Problems): void {
  for (const href of hrefsOf(parseMarkdown(text))) {
    if (/^(?:https?:\/\/|mailto:|#|\/(?!\/))/i.test(href)) continue;
    const [page = ""] = href.split("#");
    if (texts.some((each) => `${each.name}.md` === page)) continue;
    const line = text.slice(0, Math.max(0, text.indexOf(href))).split("\n").length;
    const reason =
      `the link to "${href}" leads nowhere: name a page of this folder (imprint.md), a page of the service ` +
      "(/search), or an address that begins with https:// or mailto:";
    problems.list.push({ file: `${name}.md`, line, reason });
  }
}

function readLogo(
  folder: string,
  file: string,
  files: readonly string[],
  declaration: Declaration,
  problems: Problems,
): OperatorSite["logo"] {
  const report = (reason: string) => problems.add(declaration, ["logo"], reason);
  const ending = file.slice(file.lastIndexOf(".") + 1);
  const type = LOGO_TYPES[ending];
  if (type === undefined) report(`the logo "${file}" must be an SVG or PNG file`);
  else if (!files.includes(file)) report(`the folder has no file "${file}"`);
  else {
    const body = readBytes(folder, file, problems);
    if (body === undefined) return undefined;
    const isKind = ending === "svg" ? body.includes("<svg") : body.subarray(1, 4).toString() === "PNG";
    if (!isKind) report(`"${file}" is not the ${ending.toUpperCase()} file that its name says`);
    if (body.length > LOGO_BYTES_MAX)
      report(`"${file}" has ${body.length} bytes; each page loads it, so 100,000 are the maximum`);
    if (ending === "svg" && ACTIVE_SVG.test(body.toString("utf8"))) {
      report(`"${file}" has scripts or loads other files: export it again as a plain SVG, or use a PNG`);
    }
    return { ending: ending as "svg" | "png", body };
  }
  return undefined;
}

function orderPages(
  texts: readonly SiteText[],
  listed: readonly string[],
  declaration: Declaration,
  problems: Problems,
): readonly SiteText[] {
  const names = texts.map(({ name }) => name);
  for (const [i, name] of listed.entries()) {
    if (!names.includes(name)) problems.add(declaration, ["pages", i], `the folder has no page "${name}.md"`);
  }
  const order = [...listed, ...USUAL_ORDER];
  const placeOf = ({ name }: SiteText): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return texts.toSorted((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name));
}
