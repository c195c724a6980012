import { escapePointer } from "../json.js";

/** Lines (from 1) of the members and items of a JSON text by JSON pointer, and the repeated keys of objects. */
interface JsonPositions {
  readonly lines: ReadonlyMap<string, number>;
  readonly repeated: readonly { readonly pointer: string; readonly line: number }[];
}

/**
 * Finds the lines of all parts of a text that `JSON.parse` accepts. `JSON.parse` reads the values faster, but it
 * reports neither lines nor repeated keys.
 */
export function findJsonPositions(text: string): JsonPositions {
  const lines = new Map<string, number>([["", 1]]);
  const repeated: { pointer: string; line: number }[] = [];
  let at = 0;
  let line = 1;

  const skipBlanks = (): void => {
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 10) line++;
      else if (c !== 32 && c !== 9 && c !== 13) return;
    }
  };
  const readString = (): string => {
    const begin = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(begin, at)) as string;
  };
  const readMembers = (pointer: string): void => {
    const seen = new Set<string>();
    for (at++, skipBlanks(); text[at] !== "}"; skipBlanks()) {
      if (text[at] === ",") at++;
      skipBlanks();
      const keyLine = line;
      const below = `${pointer}/${escapePointer(readString())}`;
      if (seen.has(below)) repeated.push({ pointer: below, line: keyLine });
      seen.add(below);
      lines.set(below, keyLine);
      skipBlanks();
      at++; // The colon.
      readValue(below);
    }
    at++;
  };
  const readItems = (pointer: string): void => {
    let index = 0;
    for (at++, skipBlanks(); text[at] !== "]"; skipBlanks()) {
      if (text[at] === ",") at++;
      skipBlanks();
      const below = `${pointer}/${index++}`;
      lines.set(below, line);
      readValue(below);
    }
    at++;
  };
  const readValue = (pointer: string): void => {
    skipBlanks();
    if (text[at] === "{") readMembers(pointer);
    else if (text[at] === "[") readItems(pointer);
    else if (text[at] === '"') readString();
    else while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++;
  };

  readValue("");
  return { lines, repeated };
}
