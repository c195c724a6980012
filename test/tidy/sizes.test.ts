import { posix } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { filesEndingWith, isTest, type SourceFile, typeScriptFiles } from "./sources.js";

const FILE_LINES_MAX = 500;
const FUNCTION_LINES_MAX = 70;
const LINE_LENGTH_MAX = 120;
const DECISION_LINES_MAX = 40;
const CRUMB_LINES_MAX = 39;

/** Files that stay although they are short and only one file imports them, each with its reason. */
const CRUMBS: Readonly<Record<string, string>> = {
  "src/authorities/index.ts": "the only list of the files of its folder; tests read dumps through it",
};

const files = typeScriptFiles("src", "test", "bench");
const scripts = [...filesEndingWith("scripts", ".mjs"), ...filesEndingWith("src/web", ".css")];

/** Counted in characters; a regular expression that stands alone cannot be broken. */
function isLong(line: string): boolean {
  return [...line].length > LINE_LENGTH_MAX && !/^\s*\/(?![*/]).*\/[a-z]*[;,]?$/.test(line);
}

it("keeps every file short enough to be read at once", () => {
  const long = [...files, ...scripts].filter(({ text }) => text.trimEnd().split("\n").length > FILE_LINES_MAX);
  expect(long.map(({ path }) => path)).toEqual([]);
});

it("keeps every line short", () => {
  const long = [...files, ...scripts].flatMap(({ path, lines }) =>
    lines.flatMap((line, i) => (isLong(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

it("keeps every decision short", () => {
  const decisions = filesEndingWith("docs/decisions", ".md");
  const long = decisions.filter(({ text }) => text.trimEnd().split("\n").length > DECISION_LINES_MAX);
  expect(decisions.length).toBeGreaterThan(40);
  expect(long.map(({ path }) => path)).toEqual([]);
});

it("keeps no short file that only one other file imports", () => {
  const sources = typeScriptFiles("src").filter(({ path }) => !isTest(path));
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)\.js"/g)) {
      const target = posix.join(posix.dirname(path), name!);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  const crumbs = sources.filter(({ path, text }) => {
    const isShort = text.trimEnd().split("\n").length <= CRUMB_LINES_MAX;
    return isShort && importers.get(path.replace(/\.tsx?$/, ""))?.size === 1;
  });
  expect(importers.size).toBeGreaterThan(500);
  expect(crumbs.map(({ path }) => path)).toEqual(Object.keys(CRUMBS));
});

it("keeps every function short", () => {
  expect(files.flatMap(longFunctions)).toEqual([]);
});

/** `path: name (lines)` of each function that is too long; a callback of describe is a suite, no function. */
function longFunctions({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined && !isSuite(path, node)) {
      const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const to = source.getLineAndCharacterOfPosition(node.end).line;
      const name = node.name?.getText(source) ?? `function at line ${from + 1}`;
      if (to - from + 1 > FUNCTION_LINES_MAX) found.push(`${path}: ${name} (${to - from + 1} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A body that only holds tests: what is called `describe(...)`, or a contract suite `…Contract(...)`. */
function isSuite(path: string, node: ts.SignatureDeclaration): boolean {
  if (!isTest(path)) return false;
  const isCallback = ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());
  return isCallback || /Contract$|Suite$/.test(node.name?.getText() ?? "");
}
