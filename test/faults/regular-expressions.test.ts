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
  "src/client/transport.ts": OF_OPERATOR,
  "src/config/derived.ts": OF_OPERATOR,
  "src/config/settings.ts": OF_OPERATOR,
  "src/core/catalog/facet-kinds/range-keys.ts": SHORT_QUERY,
  "src/core/webhook-delivery.ts": "the text is an address that a resolver returned",
  "src/engines/opensearch/connection/map-error.ts": "OpenSearch wrote the text",
  "src/formats/structure-svg.ts": OWN_TEXT,
  "src/http/edge/compression.ts": OWN_TEXT,
  "src/query/complete/typing-context.ts": SHORT_QUERY,
  "src/query/describe/describe-parts.ts": SHORT_QUERY,
  "src/query/parse/word-node.ts": SHORT_QUERY,
  "src/services/matching/affiliation-evidence.ts": "an affiliation has at most 2,000 characters",
  "src/services/matching/affiliation-text.ts": "an affiliation has at most 2,000 characters",
  "src/web/assets.ts": OWN_TEXT,
  "src/web/parts/markdown.tsx": "the text is the documentation or a page of the operator",
};

/** The same for expressions that a module assembles. Fuzzing finds some of these only sometimes. */
const ASSEMBLED_EXCUSES: Readonly<Record<string, string>> = {
  "src/http/parameters/url-encoding.ts": "each alternative begins with another byte",
  "src/query/complete/typing-context.ts": SHORT_QUERY,
  "src/query/fields/identifiers.ts": SHORT_QUERY,
  "src/query/index-model/leaves.ts": "a letter is compared at most 257 times",
  "src/query/parse/spans.ts": SHORT_QUERY,
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

/** Returns the expressions that a module assembles with `new RegExp` when it is loaded. */
async function assembledIn(path: string): Promise<Expression[]> {
  const address = `../../${path.replace(/\.ts$/, ".js")}`;
  // Loads what it imports, so that only its own expressions are noted below.
  await import(address);
  const expressions: Expression[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const { source, flags } = Reflect.construct(target, args, newTarget);
      expressions.push({ path, line: 0, source, flags });
      return new target(source, flags);
    },
  });
  try {
    await import(`${address}?again`);
  } finally {
    globalThis.RegExp = original;
  }
  return expressions;
}

/** An expression without unbounded repetition is linear. */
const REPEATS = /[*+]|\{\d+,\}/;

/** Time for the analysis of one expression, and for another attempt if that was too short on a busy machine. */
const ANALYSIS_MS = [20_000, 120_000] as const;

function analyse({ source, flags }: Expression): Verdict {
  const verdict = checkSync(source, flags, { timeout: ANALYSIS_MS[0] });
  return verdict.status === "unknown" ? checkSync(source, flags, { timeout: ANALYSIS_MS[1] }) : verdict;
}

const files = typeScriptFiles("src").filter(({ path }) => !isTest(path));
const expressions = files.flatMap(({ path, text }) => expressionsIn(path, text));

it("finds the expressions of the sources", () => {
  expect(expressions.length).toBeGreaterThan(400);
});

/** Returns the first slow expression of each file. */
function findSlow(analysed: readonly Expression[]): ReadonlyMap<string, string> {
  const slow = new Map<string, string>();
  for (const expression of analysed) {
    const { path, line, source } = expression;
    if (!REPEATS.test(source)) continue;
    const { status, complexity, attack } = analyse(expression);
    if (status === "safe") continue;
    slow.set(path, `${path}:${line} /${source}/: ${complexity?.summary ?? status}, such as ${attack?.pattern}`);
  }
  return slow;
}

it("finds no other expression than the excused ones that takes more than linear time", { timeout: 600_000 }, () => {
  const slow = findSlow(expressions);
  expect([...slow].filter(([path]) => EXCUSES[path] === undefined).map(([, problem]) => problem)).toEqual([]);
  expect(Object.keys(EXCUSES).filter((path) => !slow.has(path) && path !== "src/http/edge/compression.ts")).toEqual([]);
});

it.runIf(process.env.TEST_LONG === "1")(
  "finds no assembled expression that takes more than linear time",
  { timeout: 1_200_000 },
  async () => {
    const assembling = files.filter(
      ({ path, text }) => /^(export )?const .*new RegExp\(/m.test(text) && !path.startsWith("src/web/"),
    );
    const assembled: Expression[] = [];
    for (const { path } of assembling) assembled.push(...(await assembledIn(path)));
    expect(assembled.length).toBeGreaterThan(30);
    const slow = findSlow(assembled);
    expect([...slow].filter(([path]) => ASSEMBLED_EXCUSES[path] === undefined).map(([, problem]) => problem)).toEqual(
      [],
    );
  },
);
