/** Holds comments, messages and documentation to plain technical English. */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { filesEndingWith, isTest, type SourceFile, typeScriptFiles } from "./sources.js";

/** Folders whose English is not revised yet. */
const UNREVISED = [
  "src/client/models/", // Generated from the schemas.
];

/** A docstring begins with a verb or with the noun of its thing, and is not a question. */
const OPENERS =
  /^(What|Of|Who|Whom|Whose|Those|That|Where|So|Is|Are|Was|Were|Does|Do|Did|May|Must|Should|Can|Will|Has|Have)\b/;

/** Words that technical English does without. */
const WORDS = /\b(whoever|anew|for ever|hears? of|(?:is|are) (?:told|said)|by then|(?<!\bthere )(?:is|are) none)\b/i;

/** "Beside" in the sense of "in addition to" or "next to"; beside a number on a page is a place. */
const BESIDE =
  /\bbeside (?:(?:an?|the|its?|this|that|any|running) )*(?:data|database|index|log|OpenSearch|PostgreSQL|service|store|writes?)\b/i;

/** Words that comments do without in addition. */
const COMMENT_WORDS = new RegExp(`${WORDS.source}|\\bwhatever\\b`, "i");

interface Comment {
  readonly place: string;
  readonly text: string;
  readonly isDocstring: boolean;
}

function commentsIn({ path, text }: SourceFile): Comment[] {
  const comments: Comment[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const note = (from: number, to: number): void => {
    const written = text.slice(from, to);
    comments.push({
      place: `${path}:${file.getLineAndCharacterOfPosition(from).line + 1}`,
      text: written
        .replaceAll(/^\/\*\*?|\*\/$|^\s*\*( |$)|^\/\/ ?/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
      isDocstring: written.startsWith("/**"),
    });
  };
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) note(range.pos, range.end);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Map(comments.map((comment) => [comment.place, comment])).values()];
}

const comments = typeScriptFiles("src")
  .filter(({ path }) => !isTest(path) && !UNREVISED.some((folder) => path.startsWith(folder)))
  .flatMap(commentsIn);

it("finds the comments of the sources", () => {
  expect(comments.length).toBeGreaterThan(2_000);
});

it("begins docstrings with a verb or a noun", () => {
  const odd = comments.filter(({ text, isDocstring }) => isDocstring && OPENERS.test(text));
  expect(odd.map(({ place, text }) => `${place} ${text.slice(0, 60)}`)).toEqual([]);
});

it("uses no word in comments that technical English does without", () => {
  const odd = comments.filter(({ text }) => COMMENT_WORDS.test(text));
  expect(odd.map(({ place, text }) => `${place} ${COMMENT_WORDS.exec(text)![0]}`)).toEqual([]);
});

const isPlain = (text: string): boolean => !WORDS.test(text) && !BESIDE.test(text);

/** Texts of the sources: messages, logs, help of commands and metrics, parts of pages. */
function literalsIn({ path, text }: SourceFile): { place: string; text: string }[] {
  const literals: { place: string; text: string }[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      // SQL has comments of its own.
      if (!/\bCREATE TABLE\b/.test(node.text)) literals.push({ place: `${path}:${line}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  if (!isPlain(text.replaceAll(/\s+/g, " "))) visit(file);
  return literals;
}

it("uses no such word in messages", () => {
  const sources = typeScriptFiles("src").filter(({ path }) => !isTest(path) && !path.startsWith("src/client/models/"));
  const odd = sources.flatMap(literalsIn).filter(({ text }) => !isPlain(text));
  expect(odd.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
});

/** Documentation, and the declarations of models and vocabularies, whose titles and helps are shown. */
const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((path) => ({ path, text: readFileSync(path, "utf8") })),
  ...filesEndingWith("docs", ".md"),
  ...filesEndingWith("catalog", ".yaml", ".schema.json"),
];

it("uses no such word in documentation and in the catalog", () => {
  const odd = pages.flatMap(({ path, text }) => {
    const line = text.replaceAll(/\s+/g, " ");
    const words = [WORDS, BESIDE].flatMap((pattern) => pattern.exec(line)?.[0] ?? []);
    return words.map((word) => `${path} ${word}`);
  });
  expect(pages.length).toBeGreaterThan(100);
  expect(odd).toEqual([]);
});
