import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo } from "../../../test/support/demo-server.js";
import { startInProcess } from "../../../test/support/in-process-server.js";
import { webPages } from "../../web/pages.js";
import { PAPERS } from "../../web/parts/frame.js";

import { readSite } from "./read-site.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-site-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9" fill="url(#a)"/></svg>';
const put = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};
const whole = {
  "site.yaml": `title: Data of Example
description: Everything that Example measured
accent: "#7a1f3d"
logo: logo.svg
contact: { name: Data office, email: data@example.org }
pages: [privacy]
`,
  "logo.svg": LOGO,
  "about.md": "# About us\n\nSee [the imprint](imprint.md#where) and [lysozyme](/search?q=lysozyme).\n",
  "imprint.md": "# Imprint\n\n## Where\n\nStreet 1  \nTown <script>alert(1)</script>\n",
  "privacy.md": "# Privacy\n\nNobody is counted.\n",
};

/** Reasons that `readSite` gives, without the folder. */
function problemsOf(files: Readonly<Record<string, string>>): string {
  put(files);
  try {
    readSite(folder);
    return "";
  } catch (error) {
    return (error as Error).message.replace(folder, "FOLDER");
  }
}

describe("a site folder", () => {
  it("may be empty, or have any part of what is possible", () => {
    expect(readSite(folder)).toEqual({ pages: [] });
    put({ "imprint.md": "# Imprint\n" });
    expect(readSite(folder)).toEqual({ pages: [{ name: "imprint", title: "Imprint", text: "# Imprint\n" }] });
  });

  it("is read as Windows writes it: with byte order marks and CRLF", () => {
    const windows = Object.entries(whole).map(([name, text]) => [name, `\ufeff${text.replaceAll("\n", "\r\n")}`]);
    put(whole);
    const site = readSite(folder);
    put({ ...Object.fromEntries(windows), "logo.svg": LOGO });
    expect(readSite(folder)).toEqual(site);
    expect(site.pages.map(({ title }) => title)).toEqual(["Privacy", "About us", "Imprint"]);
  });

  it("says which files cannot be read, and what to do", () => {
    mkdirSync(join(folder, "imprint.md"));
    mkdirSync(join(folder, "logo.svg"));
    writeFileSync(join(folder, "about.md"), Buffer.from("# About\n\nM\xfcnchen, [imprint](imprint.md)\n", "latin1"));
    writeFileSync(join(folder, "utf16.md"), Buffer.from("\ufeff# Sixteen\n", "utf16le"));
    expect(problemsOf({ "site.yaml": "logo: logo.svg\n", "site.yml": "title: Data\n" })).toBe(
      [
        "The folder of BINDERY_SITE (FOLDER) has mistakes:",
        "  site.yml:1: it is not read: rename it site.yaml",
        "  about.md:3: the text is not in UTF-8: save the file with the encoding UTF-8",
        "  imprint.md:1: it is a folder, not a file: rename it, or move its files to the folder above",
        "  utf16.md:1: the text is not in UTF-8: save the file with the encoding UTF-8",
        "  logo.svg:1: it is a folder, not a file: rename it, or move its files to the folder above",
      ].join("\n"),
    );
    rmSync(join(folder, "site.yml"));
    rmSync(join(folder, "site.yaml"));
    mkdirSync(join(folder, "site.yaml"));
    expect(problemsOf({})).toContain("site.yaml:1: it is a folder, not a file");
    writeFileSync(join(folder, "site2.md"), Buffer.from("# A\n\xff", "latin1"));
    expect(problemsOf({})).toContain("site2.md:2: the text is not in UTF-8");
  });

  it("has pages in the order that it lists, then in the usual one", () => {
    put({ ...whole, "team.md": "# Team\n", "contact-us.md": "# Contact\n" });
    expect(readSite(folder).pages.map(({ name }) => name)).toEqual([
      "privacy",
      "about",
      "imprint",
      "contact-us",
      "team",
    ]);
  });

  it("derives the colour of the dark theme, light enough to be read there", () => {
    put(whole);
    const { accent } = readSite(folder);
    expect(accent?.light).toBe("#7a1f3d");
    expect(accent?.dark).toMatch(/^#[b-f]/);
  });

  it.each([
    ['accent: "#f5d90a"', 'site.yaml:1: "accent" has a contrast of 1.3 : 1', "choose a darker colour"],
    [
      'accent: "#0a5a63"\naccent_dark: "#0a5a63"',
      'site.yaml:2: "accent_dark" has a contrast of',
      "choose a lighter colour",
    ],
    ["accent: #0a5a63", 'site.yaml:1: "accent" has no value', 'a colour needs quotes: "#0a5a63"'],
    ["accent: teal", 'site.yaml:1: "accent" must be a colour such as "#0a5a63"', ""],
    ["titel: Data", 'site.yaml:1: there is no property "titel"', 'did you mean "title"?'],
    ["title: [1]", 'site.yaml:1: "title" must be a text', ""],
    ["logo: other.svg", 'site.yaml:1: the folder has no file "other.svg"', ""],
    ["logo: about.md", 'site.yaml:1: the logo "about.md" must be an SVG or PNG file', ""],
    ["title: Data\ncontact: { name: Office }", 'site.yaml:2: "contact" needs a "name" and either an "email"', ""],
    ["pages: [about, team]", 'site.yaml:1: the folder has no page "team.md"', ""],
    ["title: 'a", "site.yaml:", "not valid YAML"],
  ])("is refused with the place of a mistake and what to do: %s", (yaml, place, cure) => {
    const problems = problemsOf({ "about.md": "# About\n", "site.yaml": `${yaml}\n` });
    expect(problems).toContain("The folder of BINDERY_SITE (FOLDER) has mistakes:\n  ");
    expect(problems).toContain(place);
    expect(problems).toContain(cure);
  });

  it.each([
    ["<svg><script>alert(1)</script></svg>"],
    ['<svg onload="alert(1)"></svg>'],
    ['<svg><image href="https://example.org/a.png"/></svg>'],
    ['<svg><a xlink:href="javascript:alert(1)"/></svg>'],
  ])("is refused with a logo that is more than a picture: %s", (logo) => {
    expect(problemsOf({ "site.yaml": "logo: logo.svg\n", "logo.svg": logo })).toContain(
      "has scripts or loads other files",
    );
  });

  it("is refused with pages without a title, and with links that lead nowhere, all at once", () => {
    const problems = problemsOf({
      "about.md": "Text.\n\n[a](missing.md)\n[b](javascript:alert) [c](//example.org) [d](https://example.org)\n",
      "Über.md": "# About\n",
    });
    expect(problems).toContain('about.md:1: the page has no title: begin it with a line such as "# Imprint"');
    expect(problems).toContain('about.md:3: the link to "missing.md" leads nowhere: name a page of this folder');
    expect(problems).toContain('about.md:4: the link to "javascript:alert" leads nowhere');
    expect(problems).toContain('about.md:4: the link to "//example.org" leads nowhere');
    expect(problems).not.toContain('https://example.org"');
    expect(problems).toContain("Über.md:1: the name of a page must be lower-case letters");
  });

  it("that is not there is refused", () => {
    rmSync(folder, { recursive: true });
    expect(problemsOf({})).toContain("the folder cannot be read (ENOENT)");
  });
});

it("knows the grounds that the style sheet has", () => {
  const tokens = readFileSync("src/web/styles/tokens.css", "utf8");
  for (const [i, name] of ["paper", "superscript", "accent-ink"].entries()) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)!;
    expect([light === "#fff" ? "#ffffff" : light, dark]).toEqual([PAPERS.light[i], PAPERS.dark[i]]);
  }
});

describe("pages of a service with a site", () => {
  it("have its title, logo, colour and contact, and links to its pages", async () => {
    put(whole);
    const operatorSite = readSite(folder);
    const pages: typeof webPages = (app, options) => webPages(app, { ...options, operatorSite });
    const server = await startInProcess({}, undefined, { pages });
    const page = (url: string, headers = BROWSER) => server.app.inject({ url, headers });
    const { body } = await page("/search");
    expect(body).toContain("<title>All records · Data of Example</title>");
    const [, logo] = /<img class="logo" src="\.(\/assets\/logo-[^"]+)"/.exec(body)!;
    expect(body).not.toContain('class="mark"');
    expect(body).toContain(`<link rel="icon" href=".${logo}"`);
    const picture = await page(logo!, { accept: "image/*" });
    expect(picture.body).toBe(LOGO);
    expect(picture.headers["content-type"]).toBe("image/svg+xml");
    expect(picture.headers["content-security-policy"]).toContain("default-src 'none'");
    expect((await page("/favicon.ico", { accept: "*/*" })).body).toBe(LOGO);
    expect(body).toContain('<a href="mailto:data@example.org">Contact: Data office</a>');
    expect(linksOf(body)).toEqual(expect.arrayContaining(["./about", "./about/imprint", "./about/privacy"]));
    const sheet = linksOf(body).find((link) => link.endsWith(".css"))!;
    expect((await page(sheet.slice(1), { accept: "text/css" })).body).toMatch(
      /--accent: light-dark\(#7a1f3d, #\w{6}\)/,
    );
    expect((await page("/")).body).toContain("<h1>Everything that Example measured</h1>");

    const about = (await page("/about")).body;
    expect(about).toContain('<h1>About us</h1><p>See <a href="./about/imprint#where">the imprint</a>');
    expect(about).toContain('<a href="./search?q=lysozyme">lysozyme</a>');
    const imprint = (await page("/about/imprint")).body;
    expect(imprint).toContain('<h2 id="where">Where</h2><p>Street 1<br/>Town &lt;script>alert(1)&lt;/script></p>');
    expect((await page("/about/other")).statusCode).toBe(404);
    await server.close();
  });

  it("are those of Bindery without one", async () => {
    const server = await startDemo();
    const { body } = await server.app.inject({ url: "/", headers: BROWSER });
    expect(body).toContain("<title>Bindery</title>");
    expect(linksOf(body)).not.toContain("./about");
    expect((await server.app.inject({ url: "/about", headers: BROWSER })).statusCode).toBe(404);
    await server.close();
  });
});
