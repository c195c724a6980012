import { mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { explainFileError, explainOpen } from "./explain-access.js";

const folder = mkdtempSync(join(tmpdir(), "bindery-explain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the error that a real system call throws. */
function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}

it("names the file that stands where a folder has to be", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const error = thrownBy(() => openSync(join(file, "below", "data"), "r"));
  expect(explainFileError(error)).toBe(
    `${file}/below/data cannot be opened: ${file} is a file, not a folder. Correct the path.`,
  );
  expect(explainOpen(join(folder, "file"))).toBeUndefined();
  expect(explainOpen(join(file, "below", "bindery.sqlite"))).toContain("is a file, not a folder");
});

it("explains names that are too long, folders and circles of links", () => {
  expect(explainFileError(thrownBy(() => openSync(join(folder, "x".repeat(300)), "r")))).toContain("at most 255 bytes");
  expect(
    explainFileError(
      thrownBy(() => readFileSync(folder)),
      folder,
    ),
  ).toBe(`${folder} is a folder. Name a file.`);
  symlinkSync(join(folder, "loop"), join(folder, "loop"));
  expect(explainFileError(thrownBy(() => openSync(join(folder, "loop"), "r")))).toContain("lead in a circle");
});

it.each([
  ["EROFS: read-only file system, mkdir '/srv/data'", /^\/srv\/data .* mounted read-only\. .*remount,rw/],
  ["ENOSPC: no space left on device, write", /^\/named .* disk is full .*Free space/],
  ["EMFILE: too many open files, open '/srv/x'", /^\/srv\/x .* as many files open as it may.*LimitNOFILE/],
  ["EDQUOT: disk quota exceeded, write", /^\/named .*quota/],
])("names the file and the cure: %s", (message, expected) => {
  expect(explainFileError(new Error(message), "/named")).toMatch(expected);
});

it("leaves other errors, and those that others have explained, as they are", () => {
  expect(explainFileError(new Error("ENOENT: no such file or directory, open 'x'"))).toBeUndefined();
  expect(explainFileError(new Error("The file is full of ENOSPC: letters, x"))).toBeUndefined();
  expect(explainFileError("EROFS")).toBeUndefined();
});
