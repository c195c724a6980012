import { inflateRawSync } from "node:zlib";
import { XmlDocument, type XmlElement } from "libxml2-wasm";
import { expect } from "vitest";
import { crc32OfBytes } from "../../src/core/crc32.js";

/** Reads the files of an archive by its directory, and checks their sizes and sums. */
export function unzip(bytes: Buffer): ReadonlyMap<string, string> {
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [crc = 0, packed = 0, size = 0, offset = 0] = [16, 20, 24, 42].map((place) => bytes.readUInt32LE(at + place));
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    expect([name, content.length, crc32OfBytes(content)]).toEqual([name, size, crc]);
    // The same numbers follow the data.
    expect([4, 8, 12].map((place) => bytes.readUInt32LE(start + packed + place))).toEqual([crc, packed, size]);
    files.set(name, content.toString("utf8"));
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

const MAIN = { m: "http://schemas.openxmlformats.org/spreadsheetml/2006/main" };

/** Reads the rows of a sheet with the types of its cells. */
export function rowsIn(sheet: string): readonly (readonly (readonly [type: string, content: string])[])[] {
  using document = XmlDocument.fromString(sheet);
  return document.find("//m:row", MAIN).map((row) =>
    (row as XmlElement).find("m:c", MAIN).map((cell) => {
      const type = (cell as XmlElement).attr("t")?.value ?? "n";
      // Readers decode `_x005F_` as `_`.
      return [type, (cell as XmlElement).content.replaceAll("_x005F_", "_")] as const;
    }),
  );
}
