import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { REAL_MODELS, realRecord } from "../../test/support/real-data.js";
import { makeRecord } from "../../test/support/records.js";

const FOLDER = resolve("src/client");

/** What the compiler says of files that stand beside the client's own. It knows nothing of Node. */
function problemsOf(files: Readonly<Record<string, string>>, libraries: readonly string[] = ["es2023"]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: libraries.map((name) => `lib.${name}.d.ts`),
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  const held = new Map(Object.entries(files).map(([name, text]) => [join(FOLDER, name), text]));
  host.readFile = (name) => held.get(name) ?? readFile(name);
  host.fileExists = (name) => held.has(name) || fileExists(name);
  host.getSourceFile = (name, language) => {
    const text = held.get(name);
    return text === undefined ? getSourceFile(name, language) : ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([...held.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${file?.fileName.slice(FOLDER.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

interface Example {
  readonly metadata: unknown;
}

/** A file that says: these are metadata of the model. */
function literal(model: string, metadata: unknown): string {
  const text = JSON.stringify(metadata, null, 1);
  return `import type { Models } from "./models/index.js";\nexport const metadata: Models["${model}"] = ${text};\n`;
}

it("needs of its surroundings what browsers and Node both have", () => {
  expect(problemsOf({ "use.ts": 'export * from "./index.js";\n' }, ["es2023", "dom"])).toEqual([]);
}, 60_000);

describe("the types of the models", () => {
  it("fit the example of each, and a record of the tests", () => {
    const models = readdirSync("catalog/models");
    const examples = models.map((model) => [
      `example-${model}.ts`,
      literal(model, (JSON.parse(readFileSync(`catalog/models/${model}/example.json`, "utf8")) as Example).metadata),
    ]);
    expect(problemsOf({ ...Object.fromEntries(examples), "made.ts": literal("mst", makeRecord(1).metadata) })).toEqual(
      [],
    );
  });

  it("tell the line of what does not fit", () => {
    const example = readFileSync("catalog/models/mst/example.json", "utf8");
    const wrong = JSON.parse(example.replace('"TRIC/MST"', '"TRIC"')) as { metadata: unknown };
    const problems = problemsOf({ "wrong.ts": literal("mst", wrong.metadata) });
    expect(problems).toEqual([expect.stringMatching(/^wrong\.ts:\d+ Type '"TRIC"' is not assignable/)]);
  });

  it("fit records of the platform, but for a field that no model knows", () => {
    const records = REAL_MODELS.map((model) => [`${model}.ts`, literal(model, realRecord(model).metadata)]);
    const problems = problemsOf(Object.fromEntries(records));
    expect(problems).toEqual([expect.stringMatching(/^itc\.ts:\d+ .*'"controlled"' does not exist in type/)]);
  });
});
