import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/bindery.js";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "bench/README.md",
  ...docs("bench/results"),
  ...docs("docs"),
  ...docs("docs/decisions"),
  ...docs("docs/models"),
  ...docs("docs/models/shared"),
];

function docs(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `${folder}/${name}`);
}

function readPage(page: string): string {
  return readFileSync(join(ROOT, page), "utf8").replaceAll(/^```.*?^```$|`[^`\n]*`/gms, "");
}

/** Anchors of a page as Git hosts make them: lower case, blanks as hyphens, without other signs. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(join(ROOT, page), "utf8").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(pages)("links in %s only to files and headings that exist", (page) => {
  const broken = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link!)) return [];
    const [path, anchor] = link!.split("#");
    const target = path === "" ? page : join(dirname(page), path!);
    if (!existsSync(join(ROOT, target))) return [link];
    return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link];
  });
  expect(broken).toEqual([]);
});
