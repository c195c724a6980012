import type { Json } from "../core/json.js";

/** A document of a file, or the reason why it cannot be read. */
export type FileDocument =
  | { readonly line: number; readonly value: Json }
  /** @property isEnd whether nothing after this place can be read */
  | { readonly line: number; readonly reason: string; readonly isEnd?: boolean };

/** Maximum depth of values. Deeper ones are refused, because later steps may recurse. */
const DEPTH_MAX = 64;

/** Parses the text of one document that begins at `line`. */
export function parseDocument(line: number, parse: () => unknown): FileDocument {
  let value: unknown;
  try {
    value = parse();
  } catch (error) {
    const message = error instanceof RangeError ? "it nests too deep" : error instanceof Error ? error.message : "";
    return { line, reason: message.split("\n")[0]! };
  }
  const reason = whyNoJson(value, DEPTH_MAX);
  return reason === undefined ? { line, value: value as Json } : { line, reason };
}

/**
 * Parses JSON.
 * @throws Error whose message follows the name of the text in a sentence
 */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns why a value is not JSON, or undefined if it is. YAML has values that JSON lacks, and nests without limit. */
function whyNoJson(value: unknown, levels: number): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "it holds a number without end";
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value !== "object") return `it holds a value that is not JSON (${typeof value})`;
  if (levels === 0) return `it nests deeper than ${DEPTH_MAX} levels`;
  for (const child of Object.values(value)) {
    const reason = whyNoJson(child, levels - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
