import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { FileDocument } from "../../formats/documents.js";
import { NoFileError } from "../../formats/open-file.js";
import { findBreak, isCsvName, readCsv, readDocuments } from "../../formats/read-documents.js";
import { readText } from "../../formats/read-text.js";
import { splitLines } from "../../formats/split-lines.js";
import { readTermTable } from "../../formats/terms/read-term-table.js";
import { badParameter } from "./issues.js";

/** The documents of an operator's file. @throws PARAMETER_INVALID where it cannot be opened */
export async function* openImport(
  file: string,
  onProgress?: (bytesRead: number) => void,
): AsyncGenerator<FileDocument> {
  try {
    yield* readDocuments(file, onProgress);
  } catch (error) {
    throw explainOpening(error, file);
  }
}

/** Where an operator's file cannot be read on. @throws PARAMETER_INVALID where it cannot be opened */
export async function findImportBreak(file: string): ReturnType<typeof findBreak> {
  try {
    return await findBreak(file);
  } catch (error) {
    throw explainOpening(error, file);
  }
}

/** The documents of a file of terms, which may be a table too. @throws PARAMETER_INVALID where it cannot be opened */
export async function* openTerms(
  file: string,
  vocabulary: Vocabulary,
  onProgress?: (bytesRead: number) => void,
): AsyncGenerator<FileDocument> {
  if (!isCsvName(file)) return yield* openImport(file, onProgress);
  try {
    yield* readTermTable(vocabulary, readCsv(file, onProgress));
  } catch (error) {
    throw explainOpening(error, file);
  }
}

/** The text of an operator's file, gzipped or not. @throws PARAMETER_INVALID where it cannot be opened or read */
export async function* openText(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<string> {
  try {
    yield* readText(file, onProgress);
  } catch (error) {
    const said = explainOpening(error, file);
    if (said !== error || !(error instanceof Error) || "syscall" in error) throw said;
    throw badParameter("file", `${file} cannot be read to its end: ${error.message}.`, file);
  }
}

/** Reads ids, one on each line. @throws PARAMETER_INVALID where the file has none, or cannot be one of ids */
export async function readIdList(file: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const lines of splitLines(openText(file), (text) => text.trim() !== "")) {
    for (const { number, text } of lines) {
      if (text.length > LIMITS.termIdLengthMax) {
        throw badParameter("only", `${file} has no id on line ${number}; write one id on each line.`, file);
      }
      ids.push(text.trim());
    }
  }
  if (ids.length === 0) throw badParameter("only", `${file} has no ids; write one on each line.`, file);
  return ids;
}

/** What to tell an operator of a file that cannot be opened; other errors stay what they are. */
export function explainOpening(error: unknown, file: string): unknown {
  if (error instanceof NoFileError) return badParameter("file", error.message, file);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return badParameter("file", `There is no file ${file}.`, file);
  if (code === "EISDIR") return badParameter("file", `${file} is a folder, not a file.`, file);
  if (code === "EACCES" || code === "EPERM") return badParameter("file", `You are not allowed to read ${file}.`, file);
  return error;
}
