import { posix } from "node:path";
import { expect, it } from "vitest";
import { typeScriptFiles } from "./sources.js";

const SHARED_BY_ENGINES = [
  "engines/background",
  "engines/files",
  "engines/rows",
  "engines/term-loads",
  "engines/transfer",
  "engines/verify",
];

/**
 * Straight down only; nobody but `app` sees an engine, and no engine sees another one. What they share is beside them.
 * A search engine sees the index that it stores; that knows no engine.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ["core"],
  query: ["core"],
  ports: ["core", "query"],
  formats: ["core"],
  "engines/background": ["core", "ports"],
  "engines/files": [],
  "engines/rows": ["core", "ports", "engines/files"],
  "engines/term-loads": ["core", "ports"],
  "engines/transfer": ["core", "ports"],
  "engines/verify": ["core", "ports"],
  "engines/sqlite": ["core", "query", "ports", ...SHARED_BY_ENGINES],
  "engines/postgres": ["core", "query", "ports", ...SHARED_BY_ENGINES],
  "engines/separate-index": ["core", "query", "ports", "engines/verify"],
  "engines/opensearch": ["core", "query", "ports", "engines/separate-index"],
  authorities: ["core", "ports", "formats"],
  services: ["core", "query", "ports", "formats"],
  // Which formats there are is a matter of the edge, too: it negotiates them.
  http: ["core", "formats", "services"],
  // Pages read the same parameters as the API, and say the same errors.
  web: ["core", "formats", "services", "http", "client"],
  app: [
    ...[
      "core",
      "config",
      "query",
      "ports",
      "engines/background",
      "engines/files",
      "engines/sqlite",
      "engines/postgres",
      "engines/opensearch",
      "engines/separate-index",
      "authorities",
    ],
    ...["formats", "services", "http", "web"],
  ],
  cli: ["core", "config", "services", "app"],
  client: [],
  "main.ts": ["config", "cli"],
};

/**
 * The rooms of a layer, each above those that it may import from: no circle can form. "." are the files of the layer
 * itself, which put the rooms together.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [
    "feed",
    "messages",
    "records",
    "terms",
    "citable",
    "catalog",
    "answers",
    "catalog/facet-kinds",
    "units",
    "declarations",
    ".",
    "printing",
  ],
  query: [
    "highlight",
    "complete",
    "describe",
    "resolve",
    "parse",
    "evaluate",
    "ranking",
    "facets",
    "index-model",
    "fields",
    "text",
  ],
  "engines/sqlite": [
    ".",
    "admin",
    "verify",
    "changes",
    "search",
    "records",
    "vocabulary/load",
    "vocabulary/search",
    "facets",
    "doc-values",
    "lexicon",
    "vocabulary/store",
    "plan",
    "cache",
    "bitmaps",
    "documents",
    "accounts",
    "connection",
  ],
  "engines/postgres": [
    ".",
    "index-source",
    "admin",
    "verify",
    "search",
    "changes",
    "records",
    "terms",
    "accounts",
    "connection",
  ],
  "engines/separate-index": [".", "admin", "relay", "search", "driver", "overlay"],
  "engines/opensearch": [".", "driver", "search", "vocabulary", "query", "documents", "facets", "connection"],
  services: [
    ".",
    "admin",
    "changes",
    "accounts",
    "imports",
    "streams",
    "exports",
    "validate",
    "matching",
    "versions",
    "records",
    "lookup",
    "metadata",
    "vocabularies",
    "search",
    "context",
    "rules",
    "input",
    "api",
  ],
  http: [".", "routes", "edge", "answers", "parameters", "schemas"],
  app: [".", "catalog", "processes", "relay", "threads", "composition", "monitoring", "rpc"],
  web: [".", "routes", "answers", "pages", "parts", "views", "islands", "notation", "words"],
  client: [".", "models"],
};

/** Files of one room, tests not counted, so that a reader sees all of them at a glance. */
const FILES_IN_A_ROOM_MAX = 30;

/** Packages that belong to one layer: an engine's driver in its engine, the web framework at the edge. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  "better-sqlite3": ["engines/sqlite"],
  "better-sqlite3-node20": ["engines/sqlite"],
  pg: ["engines/postgres"],
  "@opensearch-project/opensearch": ["engines/opensearch"],
  fastify: ["http", "web"],
  idiomorph: ["web"],
  preact: ["web"],
  "preact-render-to-string": ["web"],
  "prom-client": ["http", "app"],
  commander: ["cli"],
  "cli-progress": ["cli"],
  vitest: [],
  "fast-check": [],
};

const sources = typeScriptFiles("src").filter(({ path }) => !/\.test(-d)?\.tsx?$/.test(path));

/** All module names that a file imports, also lazily. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]!);
}

/** The layer of a file or folder below src: its folder there, or of engines the folder of one. */
function layerOf(path: string): string {
  const [layer, engine] = path.split("/");
  return layer === "engines" ? `${layer}/${engine}` : layer!;
}

/** `from -> to` of each import that `isRight` denies. */
function wrongImports(isRight: (layer: string, name: string, file: string) => boolean): string[] {
  return sources.flatMap(({ path, text }) => {
    const file = path.slice("src/".length);
    const wrong = importsOf(text).filter((name) => !isRight(layerOf(file), name, file));
    return wrong.map((name) => `${path} -> ${name}`);
  });
}

it("lets every file import only from the layers below it", () => {
  const wrong = wrongImports((layer, name, file) => {
    if (!name.startsWith(".")) return true;
    const target = layerOf(posix.join(posix.dirname(file), name));
    return target === layer || MAY_IMPORT[layer]?.includes(target) === true;
  });
  expect(wrong).toEqual([]);
});

/** Layer and room of a file below src. A layer without rooms is one room. */
function placeOf(file: string): { layer: string; room: string } {
  const folder = posix.dirname(file);
  const layer = Object.keys(ROOMS).find((name) => folder === name || folder.startsWith(`${name}/`)) ?? folder;
  return { layer, room: folder === layer ? "." : folder.slice(layer.length + 1) };
}

it("lets every room import only from the rooms below it", () => {
  const wrong = wrongImports((_, name, file) => {
    if (!name.startsWith(".")) return true;
    const from = placeOf(file);
    const to = placeOf(posix.join(posix.dirname(file), name));
    const rooms = ROOMS[from.layer];
    if (rooms === undefined || to.layer !== from.layer) return true;
    return rooms.indexOf(from.room) <= rooms.indexOf(to.room) && rooms.includes(to.room);
  });
  expect(wrong).toEqual([]);
});

it("knows every room, and keeps each small", () => {
  const files = new Map<string, number>();
  for (const { path } of sources) {
    const folder = posix.dirname(path.slice("src/".length));
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  const unknown = [...files.keys()].filter((folder) => {
    const { layer, room } = placeOf(`${folder}/x.ts`);
    return ROOMS[layer] !== undefined && !ROOMS[layer].includes(room);
  });
  expect(unknown).toEqual([]);
  expect([...files].filter(([, count]) => count > FILES_IN_A_ROOM_MAX)).toEqual([]);
});

it("lets every package be imported only where it belongs", () => {
  expect(wrongImports((layer, name) => OWNERS[name]?.includes(layer) !== false)).toEqual([]);
});

// Pages have the addresses and the errors of the API: they are read, and said, by the same code.
it("lets pages see of the HTTP layer only how it reads parameters and says errors", () => {
  const wrong = wrongImports((layer, name, file) => {
    if (layer !== "web" || !name.startsWith(".")) return true;
    const target = posix.join(posix.dirname(file), name);
    return !target.startsWith("http/") || /^http\/(parameters|answers)\//.test(target);
  });
  expect(wrong).toEqual([]);
});

it("lets scripts of pages import nothing that is the server's, and nothing of theirs be imported there", () => {
  const wrong = wrongImports((_, name, file) => {
    const target = name.startsWith(".") ? posix.join(posix.dirname(file), name) : name;
    if (!file.startsWith("web/islands/")) return !target.startsWith("web/islands/");
    const isShared = /^(web\/(islands|words|notation\/(query-parts|rich-text))|client)\b/.test(target);
    return isShared || ["idiomorph", "preact"].includes(target);
  });
  expect(wrong).toEqual([]);
});

it("lets the client, which runs in browsers too, import nothing but its own files", () => {
  expect(wrongImports((layer, name) => layer !== "client" || name.startsWith("."))).toEqual([]);
});

it("lets engines be named only in engines/ and app/", () => {
  const outside = sources.filter(({ path }) => !/^src\/(engines|app)\//.test(path));
  const named = outside.filter(({ text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").replaceAll(/"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g, "");
    return /sqlite|fts5|postgresql|opensearch/i.test(code);
  });
  expect(named.map(({ path }) => path)).toEqual([]);
});

it("lets a separate index name no search engine", () => {
  const files = sources.filter(({ path }) => path.startsWith("src/engines/separate-index/"));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(({ text }) => /opensearch|elastic|lucene/i.test(text)).map(({ path }) => path)).toEqual([]);
});

it("knows every folder of src", () => {
  const layers = new Set(sources.map(({ path }) => layerOf(path.slice("src/".length))));
  expect(Object.keys(MAY_IMPORT)).toEqual(expect.arrayContaining([...layers]));
});
