/** Holds docstrings and comments to plain technical English. */
import ts from "typescript";
import { expect, it } from "vitest";
import { isTest, type SourceFile, typeScriptFiles } from "./sources.js";

/** Folders whose English is not revised yet. */
const UNREVISED = [
  "src/app/",
  "src/cli/",
  "src/client/models/", // Generated from the schemas.
  "src/engines/opensearch/vocabulary/",
  "src/engines/postgres/terms/",
  "src/engines/sqlite/vocabulary/search/",
  "src/http/answers/",
  "src/http/parameters/",
  "src/http/routes/",
  "src/http/schemas/",
  "src/query/",
  "src/services/search/",
  "src/services/vocabularies/",
  "src/web/",
];

/** A docstring begins with a verb or with the noun of its thing. */
const OPENERS = /^(What|Of|Who|Whom|Whose|Those|That|Where|So)\b/;

/** Words that technical English does without. */
const WORDS = /\b(whoever|whatever|anew|for ever|hears? of|is told|is said|by then|(?<!\bthere )(?:is|are) none)\b/i;

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

it("uses no word that technical English does without", () => {
  const odd = comments.filter(({ text }) => WORDS.test(text));
  expect(odd.map(({ place, text }) => `${place} ${WORDS.exec(text)![0]}`)).toEqual([]);
});
