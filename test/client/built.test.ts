import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/bindery.js";

const FOLDER = join(ROOT, "dist/client");
const modules = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
const texts = modules.map((name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const);

it("is built for browsers: it imports its own files and names nothing of Node's", () => {
  expect(modules).toContain("index.js");
  const foreign = texts.flatMap(([name, text]) => {
    const imported = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]!);
    const outside = imported.filter((target) => !/^\.\.?\/[\w/-]+\.js$/.test(target));
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const named = code.match(/\b(process|Buffer|require|__dirname|global)\b/g) ?? [];
    return [...outside, ...named].map((what) => `${name}: ${what}`);
  });
  expect(foreign).toEqual([]);
});

it("is small: what a page loads is a few kilobytes, types cost nothing", () => {
  const used = texts.filter(([name]) => !name.startsWith("models/"));
  const bytes = used.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThan(25_000);
  const typesOnly = texts.filter(([name]) => name.startsWith("models/"));
  expect(
    typesOnly.filter(([, text]) => /\b(const|function|class|import)\b/.test(text.replace(/^\/\/.*/gm, ""))),
  ).toEqual([]);
});
