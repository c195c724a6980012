/** Analyses every regular expression of the sources: none takes more than linear time on a text of any length. */
import { createRequire } from "node:module";
import ts from "typescript";
import { expect, it } from "vitest";
import { isTest, typeScriptFiles } from "../tidy/sources.js";

interface Verdict {
  readonly status: "safe" | "vulnerable" | "unknown";
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
}

const { checkSync } = createRequire(import.meta.url)("recheck") as {
  checkSync(source: string, flags: string, parameters: { readonly timeout: number }): Verdict;
};

/** Why an expression may take quadratic time: the text is short, or is not a caller's. */
const SHORT_QUERY = "a query or a parameter has at most 4,096 characters";
const OF_OPERATOR = "the text is a setting, a file name or a certificate of the operator";
const OWN_TEXT = "the service or its library wrote the text";
const EXCUSES: Readonly<Record<string, string>> = {
  "src/authorities/ror.ts": OF_OPERATOR,
  "src/client/send.ts": OF_OPERATOR,
  "src/config/derived.ts": OF_OPERATOR,
  "src/config/load.ts": OF_OPERATOR,
  "src/config/read-certificates.ts": OF_OPERATOR,
  "src/core/private-address.ts": "the text is an address that a resolver returned",
  "src/engines/opensearch/connection/map-error.ts": "OpenSearch wrote the text",
  "src/formats/structure-svg.ts": OWN_TEXT,
  "src/http/edge/compression.ts": OWN_TEXT,
  "src/query/complete/typed.ts": SHORT_QUERY,
  "src/query/describe/without-part.ts": SHORT_QUERY,
  "src/query/index-model/range-keys.ts": SHORT_QUERY,
  "src/query/parse/word-node.ts": SHORT_QUERY,
  "src/services/matching/affiliation-evidence.ts": "an affiliation has at most 2,000 characters",
  "src/services/matching/affiliation-text.ts": "an affiliation has at most 2,000 characters",
  "src/web/assets.ts": OWN_TEXT,
};

interface Expression {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

function expressionsIn(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const expressions: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      expressions.push({ path, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return expressions;
}

/** An expression without unbounded repetition is linear. */
const REPEATS = /[*+]|\{\d+,\}/;

/** How long the analysis of one expression may take: far longer than on an idle machine. */
const ANALYSIS_MS = 20_000;

const files = typeScriptFiles("src").filter(({ path }) => !isTest(path));
const expressions = files.flatMap(({ path, text }) => expressionsIn(path, text));

it("finds the expressions of the sources", () => {
  expect(expressions.length).toBeGreaterThan(400);
});

it("finds no other expression than the excused ones that takes more than linear time", { timeout: 600_000 }, () => {
  const slow = new Map<string, string>();
  for (const { path, line, source, flags } of expressions) {
    if (!REPEATS.test(source)) continue;
    const { status, complexity, attack } = checkSync(source, flags, { timeout: ANALYSIS_MS });
    if (status === "safe") continue;
    slow.set(path, `${path}:${line} /${source}/: ${complexity?.summary ?? status}, such as ${attack?.pattern}`);
  }
  expect([...slow].filter(([path]) => EXCUSES[path] === undefined).map(([, found]) => found)).toEqual([]);
  expect(Object.keys(EXCUSES).filter((path) => !slow.has(path) && path !== "src/http/edge/compression.ts")).toEqual([]);
});
