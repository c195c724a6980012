import {
  Composer,
  type CST,
  type Document,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  visit,
  type YAMLParseError,
} from "yaml";
import { LIMITS } from "../core/limits.js";
import { type FileDocument, parseDocument } from "./documents.js";
import { splitLines } from "./split-lines.js";

/** Markers of documents. They begin a line, where no text of a document can be. */
const BEGIN = /^---(\s|$)/;
const END = /^\.\.\.(\s|$)/;
const NO_CONTENT = /^(\s*(#.*)?|%.*|---\s*(#.*)?)$/;

/** Characters that end lines or separate values: the parser keeps some hundred bytes of memory for each. */
const SIGNS = /[\n,:[{}\]&*?-]/g;

/** Splits a YAML stream into its documents; empty ones are left out. A list at the top gives its items. */
export async function* splitYaml(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  let lines: string[] = [];
  let length = 0;
  let first = 1;
  let content: number | undefined;
  const take = (next: number): FileDocument[] => {
    const documents = content === undefined ? [] : parseYaml(lines, first, content, length);
    [lines, length, first, content] = [[], 0, next, undefined];
    return documents;
  };
  for await (const run of splitLines(pieces)) {
    for (const { number, text, isCut } of run) {
      if (text === "" && lines.length === 0) {
        // There may be many blank lines before a document.
        first = number + 1;
        continue;
      }
      if (END.test(text) || (BEGIN.test(text) && content !== undefined)) yield* take(number);
      if (END.test(text)) continue;
      length += isCut ? LIMITS.documentLengthMax : text.length + 1;
      if (length <= LIMITS.documentLengthMax) lines.push(text);
      if (content === undefined && !NO_CONTENT.test(text)) content = number;
    }
  }
  yield* take(0);
}

function parseYaml(lines: readonly string[], first: number, content: number, length: number): FileDocument[] {
  if (length > LIMITS.documentLengthMax) {
    return [{ line: content, reason: `the document has more than ${LIMITS.documentLengthMax} characters; ${PARTS}` }];
  }
  let items: readonly YamlItem[] | undefined;
  const document = parseDocument(content, () => {
    const parsed = parseText(lines.join("\n"), first);
    items = parsed.items;
    return items === undefined ? parsed.value : null;
  });
  // Each element becomes a document of its own, so that an error affects only one of them.
  return items?.map(({ line, value }) => parseDocument(line, () => value)) ?? [document];
}

/** An element of the top-level list of a YAML document, and the line on which it begins. */
interface YamlItem {
  readonly line: number;
  readonly value: unknown;
}

/** A parsed YAML document. `items` are the elements of its top-level list; absent if it is not a list. */
interface ParsedYaml {
  readonly value: unknown;
  readonly items?: readonly YamlItem[];
}

const PARTS = "part it by lines of `---`, or write JSON lines";

function parseText(text: string, first: number): ParsedYaml {
  if (isLong(text)) {
    throw new Error(
      `the document has more than ${LIMITS.yamlSignsMax} line ends and signs such as "," and ":"; ${PARTS}`,
    );
  }
  const counter = new LineCounter();
  const placeAt = (offset: number): string => placeText(first, counter.linePos(offset));
  const tokens = checkDepth(new Parser(counter.addNewLine).parse(text), placeAt);
  // Our own check of keys takes linear time; that of the library takes quadratic time.
  const composer = new Composer({ schema: "core", uniqueKeys: false });
  const [document] = composer.compose(tokens, true, text.length);
  if (document === undefined) return { value: null };
  const [error] = document.errors;
  if (error !== undefined) throw notYaml(error, placeAt);
  checkNodes(document, placeAt);
  const value: unknown = document.toJS({ maxAliasCount: LIMITS.yamlAliasesMax });
  if (!isSeq(document.contents) || !Array.isArray(value)) return { value };
  const lineOf = (node: unknown): number =>
    first - 1 + (isNode(node) && node.range ? counter.linePos(node.range[0]).line : 1);
  return { value, items: document.contents.items.map((node, i) => ({ line: lineOf(node), value: value[i] })) };
}

/**
 * Refuses nodes that nest too deep. The parser of tokens works without recursion; the composer of nodes recurses, and
 * ends the whole process if a regular expression of its own meets the end of the stack.
 */
function* checkDepth(tokens: Iterable<CST.Token>, placeAt: (offset: number) => string): Generator<CST.Token> {
  for (const token of tokens) {
    const pending: [token: CST.Token | null | undefined, depth: number][] = [[token, 0]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, depth] = next;
      if (!node) continue;
      if (depth > LIMITS.bodyDepthMax) {
        throw new Error(`it nests deeper than ${LIMITS.bodyDepthMax} levels${placeAt(node.offset)}`);
      }
      if (node.type === "document") pending.push([node.value, depth]);
      else if ("items" in node)
        for (const { key, value } of node.items) pending.push([key, depth + 1], [value, depth + 1]);
    }
    yield token;
  }
}

function isLong(text: string): boolean {
  SIGNS.lastIndex = 0;
  let count = 0;
  while (count <= LIMITS.yamlSignsMax && SIGNS.test(text)) count += 1;
  return count > LIMITS.yamlSignsMax;
}

function notYaml(error: YAMLParseError, placeAt: (offset: number) => string): Error {
  return new Error(`it is not valid YAML: ${error.message}${placeAt(error.pos[0])}`, { cause: error });
}

const placeText = (first: number, { line, col }: { readonly line: number; readonly col: number }): string =>
  ` (line ${first + line - 1}, column ${col})`;

/** Refuses a key that a map has twice, and more aliases than anyone writes by hand. */
function checkNodes(document: Document, placeAt: (offset: number) => string): void {
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases += 1;
      if (aliases > LIMITS.yamlAliasesMax) throw new Error(`it has more than ${LIMITS.yamlAliasesMax} aliases (*name)`);
    },
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) {
          const place = isScalar(key) && key.range ? placeAt(key.range[0]) : "";
          throw new Error(`it is not valid YAML: Map keys must be unique${place}`);
        }
        keys.add(name);
      }
    },
  });
}
