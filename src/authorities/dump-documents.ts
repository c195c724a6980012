import { isObject, type JsonObject, own } from "../core/json.js";
import { type DumpFile, withLine } from "../formats/dumps/dump-file.js";
import { splitDocuments } from "../formats/read-documents.js";
import type { DumpEntry } from "../ports/authorities.js";

/** An object in a file of a dump, with its place. */
export interface DumpDocument {
  readonly line: number;
  readonly value: JsonObject;
}

/** Number of documents per batch. */
const BATCH_DOCUMENTS = 200;

/**
 * Yields the entries of a file, a JSON array, JSON lines, or one object, in batches.
 * @param take makes entries of each document
 */
export async function* documentEntries(
  file: DumpFile,
  take: (document: DumpDocument) => readonly DumpEntry[],
): AsyncGenerator<readonly DumpEntry[]> {
  const part = file.name;
  let entries: DumpEntry[] = [];
  let documents = 0;
  let lastLine = 1;
  try {
    for await (const document of splitDocuments(part, file.text())) {
      const { line } = document;
      lastLine = line;
      if ("reason" in document) {
        const { reason, isEnd } = document;
        entries.push({ part, line, reason, ...(isEnd ? { isEnd } : {}) });
      } else if (isObject(document.value)) {
        for (const entry of take({ line, value: document.value })) entries.push(entry);
      } else entries.push({ part, line, reason: "it is no JSON object; is this the right file?" });
      documents += 1;
      if (documents % BATCH_DOCUMENTS !== 0) continue;
      yield entries;
      entries = [];
    }
  } catch (error) {
    throw withLine(error, part, lastLine);
  }
  yield entries;
}

/** Returns the trimmed text under a key; undefined if it is missing or blank. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  const text = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
  return text === "" ? undefined : text;
}

/** Returns the objects of the list under a key. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = own(object, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the object under a key; an empty one if there is none. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** Returns the texts of the list under a key. */
export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = own(object, key);
  return Array.isArray(value) ? value.filter((element) => typeof element === "string") : [];
}

/** Returns the name of a file without its folders. */
export const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
