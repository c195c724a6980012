import { describe, expect, it } from "vitest";
import { readRecordDocumentKey, recordDocumentKey, termDocumentKey, termsIndexOf } from "./index-driver.js";

describe("names of an index", () => {
  it("name a generation of a vocabulary, except for the initial one", () => {
    expect(termsIndexOf("bindery-1", "species", 0)).toBe("bindery-1-terms-species");
    expect(termsIndexOf("bindery-1", "species", 2)).toBe("bindery-1-terms-species-2");
  });

  it("name each state of a record", () => {
    const published = { id: "a", state: "published" };
    expect(recordDocumentKey(published)).toBe("a~published");
    expect(readRecordDocumentKey("a~published")).toEqual(published);
  });

  it("hash ids of terms above 512 bytes", () => {
    expect(termDocumentKey("x".repeat(512))).toBe("x".repeat(512));
    expect(termDocumentKey("ü".repeat(257))).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect(termDocumentKey("ü".repeat(257))).not.toBe(termDocumentKey("ü".repeat(258)));
  });
});
