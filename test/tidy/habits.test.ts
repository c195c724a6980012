import { existsSync, readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { basename } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesEndingWith, isTest, type SourceFile, typeScriptFiles } from "./sources.js";

const code = typeScriptFiles("src", "test", "bench");
const sources = code.filter(({ path }) => !isTest(path) && path.startsWith("src/"));
const texts = [
  ...code,
  ...filesEndingWith("docs", ".md"),
  ...filesEndingWith("scripts", ".mjs"),
  ...filesEndingWith("catalog", ".yaml", ".json", ".jsonl"),
  ...filesEndingWith("demo", ".jsonl"),
];
/** Written in two parts, so that this file does not find itself. */
const word = (...parts: readonly string[]): string => parts.join("");

/** A variable of a module, or an empty collection with the name of a variable. */
const MODULE_STATE = /^(export )?(let |const [a-z]\w*(: .+)? = (new \w+(<.*>)?\(\)|\[\]|\{\});$)/m;

/** Why a module may have state. */
const STATEFUL: Readonly<Record<string, string>> = {
  "src/app/processes/serving-process.ts": "the entry file of a process",
  "src/core/catalog/schema-keywords.ts": "a compiled pattern depends only on its text",
  "src/core/catalog/list-fields.ts": "a list depends only on its model",
  "src/core/slices.ts": "a thread has one event loop",
  "src/engines/files/disk-files.ts": "files are removed when the process ends",
  "src/web/islands/island.ts": "a page has one document",
  "src/web/islands/page-change.ts": "a page has one document",
};

describe("every source", () => {
  it("reads the environment in one file", () => {
    const readers = sources.filter(({ text }) => text.includes(word("process", ".env"))).map(({ path }) => path);
    expect(readers).toEqual(["src/main.ts"]);
  });

  it("prints through the log or the command line's own output", () => {
    const printing = sources.filter(({ text }) => /\bconsole\.|process\.std(out|err)\.write/.test(text));
    const outputs = ["src/cli/output.ts", "src/app/monitoring/log-output.ts"];
    expect(printing.map(({ path }) => path).filter((path) => !outputs.includes(path))).toEqual([]);
  });

  it("is named in kebab case by what it does", () => {
    const odd = code.filter(
      ({ path }) => !/^[a-z0-9./-]+$/.test(path) || /\b(utils?|helpers?|misc|common)\b/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it("has a name that no other file of its layer has, nor of its engine", () => {
    // Files of the client's models are named by what the catalog declares.
    const named = sources.filter(({ path }) => !path.startsWith("src/client/models/") && !path.endsWith("/index.ts"));
    const nameOf = ({ path }: SourceFile): string => `${/^src\/(engines\/)?[^/]+/.exec(path)?.[0]} ${basename(path)}`;
    const names = named.map(nameOf);
    const repeated = named.filter((file, i) => names.indexOf(nameOf(file)) < i);
    expect(repeated.map(({ path }) => path)).toEqual([]);
  });

  it("has no escape from the types or from the linter", () => {
    const marks = [
      word("biome", "-ignore"),
      word("@ts", "-ignore"),
      word("@ts", "-nocheck"),
      word("as ", "any;"),
      word("as ", "any)"),
    ];
    expect(code.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ path }) => path)).toEqual([]);
  });

  it("puts no key of a client's object onto an object of ours by assignment to __proto__", () => {
    const bad = sources.filter(({ text }) => /\.__proto__\s*=|\["__proto__"\]\s*=/.test(text));
    expect(bad.map(({ path }) => path)).toEqual([]);
  });

  it("spreads no list into a call that takes any number of arguments: a long one overflows the stack", () => {
    expect(sources.flatMap(spreadCalls)).toEqual([]);
  });

  it("packs no members of a literal by spreading another literal into it", () => {
    expect(sources.flatMap(packedLiterals)).toEqual([]);
  });

  it("parses what a store keeps with the readers that name a damaged row", () => {
    const bare = sources
      .filter(({ path }) => path.startsWith("src/engines/") && !PARSES_OTHER_JSON.has(path))
      .filter(({ text }) => text.includes(word("JSON", ".parse(")));
    expect(bare.map(({ path }) => path)).toEqual([]);
    const parsed = new RegExp(`${word("JSON", "\\.parse")}\\((\\w+\\.)*json\\b`);
    const layers = /^src\/(services|http|web)\//;
    const others = sources.filter(
      ({ path, text }) => layers.test(path) && !/store-care|change-feed/.test(path) && parsed.test(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it("keeps no state in its module", () => {
    const stateful = sources.filter(({ text }) => MODULE_STATE.test(text)).map(({ path }) => path);
    expect(stateful.filter((path) => STATEFUL[path] === undefined)).toEqual([]);
    expect(Object.keys(STATEFUL).filter((path) => !stateful.includes(path))).toEqual([]);
  });
});

describe("every test", () => {
  it("runs: none is switched off, none is alone", () => {
    const off = new RegExp(`\\b(it|test|describe)\\.(${word("sk", "ip")}|${word("on", "ly")}|${word("to", "do")})\\b`);
    expect(code.filter(({ text }) => off.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("has a name that says what happens, without the word that hedges", () => {
    const hedging = new RegExp(`\\b(it|test)(\\.each\\([^)]*\\))?\\(\\s*["\`][^"\`]*\\b${word("sho", "uld")}\\b`);
    expect(code.filter(({ text }) => hedging.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("every text", () => {
  it("leaves no note for later without the number of an issue", () => {
    const note = new RegExp(`\\b(${word("TO", "DO")}|${word("FIX", "ME")}|${word("XX", "X")})\\b(?! ?\\(?#\\d)`);
    expect(texts.filter(({ text }) => note.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("names no path or name of the machine it was written on", () => {
    const local = [word("/wor", "k/"), word("/home", "/"), word("/ro", "ot/"), word("/tmp/", "brief")];
    const home = homedir();
    if (home.length > "/root".length) local.push(home);
    if (hostname().length > 8) local.push(hostname());
    expect(texts.filter(({ text }) => local.some((part) => text.includes(part))).map(({ path }) => path)).toEqual([]);
  });

  it("leads to files that are there", () => {
    const broken = [...filesEndingWith("docs", ".md"), ...filesEndingWith("bench", ".md"), ...rootTexts()].flatMap(
      ({ path, text }) => {
        const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
        const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1]!);
        return targets.filter((target) => !existsSync(`${folder}/${target}`)).map((target) => `${path} -> ${target}`);
      },
    );
    expect(broken).toEqual([]);
  });
});

describe("the lock file", () => {
  const lock = readFileSync("package-lock.json", "utf8");

  it("names no addresses to download from", () => {
    expect(lock).not.toMatch(
      /"resolved"|https?:\/\/(?!opencollective|github\.com|paulmillr|feross|tidelift|www\.patreon)/,
    );
  });

  it("belongs to package.json", () => {
    const root = (JSON.parse(lock) as { packages: Record<string, Record<string, unknown>> }).packages[""]!;
    const own = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
    for (const key of ["name", "version", "dependencies", "devDependencies", "engines", "bin"]) {
      expect(root[key], key).toEqual(own[key]);
    }
  });
});

/** Functions of the language that take any number of arguments; `src/core/collections.ts` has what to use instead. */
const VARIADIC = /^(push|unshift|splice|concat|max|min|hypot|fromCharCode|fromCodePoint|of|apply)$/;

/** What may be such a call: to parse every file takes seconds. */
const SUSPECT = new RegExp(`${VARIADIC.source.replace("^", "\\.").replace("$", "\\(")}(?=[^;]*\\.\\.\\.)|\\.apply\\(`);

/** Returns the places where a literal is spread into a literal: `{ ...{ a }, b }`. */
function packedLiterals({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    const isPacked =
      (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
      (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));
    if (isPacked) places.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/** `path:line` of each call of such a function with a spread list; one that is written out there has an end. */
function spreadCalls({ path, text }: SourceFile): string[] {
  if (!SUSPECT.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  const found: string[] = [];
  const isSpread = (node: ts.Expression): boolean =>
    ts.isSpreadElement(node) && !ts.isArrayLiteralExpression(node.expression);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (VARIADIC.test(name.text) && (name.text === "apply" || node.arguments.some(isSpread))) {
        found.push(`${path}:${line}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Engines' files that parse JSON which is in no store, or report text that is none as a finding. */
const PARSES_OTHER_JSON = new Set([
  // What passes between threads and scratch tables of one load.
  ...["compiled-terms", "loaded-source", "stage-lines"].map((name) => `src/engines/term-loads/${name}.ts`),
  "src/engines/verify/compare-record.ts",
  // The metadata that is being written.
  "src/engines/sqlite/records/record-writer.ts",
]);

function rootTexts(): { path: string; text: string }[] {
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

it("has no raw template with a character beyond ASCII: the bundle escapes it, and it would be another text", () => {
  const raw = sources.filter(({ text }) => /String\.raw`[^`]*[^\p{ASCII}`][^`]*`/u.test(text));
  expect(raw.map(({ path }) => path)).toEqual([]);
});
