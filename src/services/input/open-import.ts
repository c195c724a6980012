import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { FileDocument } from "../../formats/documents.js";
import { NoFileError } from "../../formats/open-file.js";
import { findBreak, isCsvName, readCsv, readDocuments } from "../../formats/read-documents.js";
import { readText } from "../../formats/read-text.js";
import { splitLines } from "../../formats/split-lines.js";
import { readTermTable } from "../../formats/terms/term-table.js";
import { badParameter } from "./issues.js";

/** Reads the documents of an operator's file. @throws PARAMETER_INVALID if it cannot be opened */
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

/** Finds the place where an operator's file becomes unreadable. @throws PARAMETER_INVALID if it cannot be opened */
export async function findImportBreak(file: string): ReturnType<typeof findBreak> {
  try {
    return await findBreak(file);
  } catch (error) {
    throw explainOpening(error, file);
  }
}

/** Reads the documents of a file of terms, which may be a table. @throws PARAMETER_INVALID if it cannot be opened */
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

/** Reads the text of an operator's file, gzipped or not. @throws PARAMETER_INVALID if it cannot be opened or read */
export async function* openText(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<string> {
  try {
    yield* readText(file, onProgress);
  } catch (error) {
    const explained = explainOpening(error, file);
    if (explained !== error || !(error instanceof Error) || "syscall" in error) throw explained;
    throw badParameter("file", `${file} cannot be read to its end: ${error.message}.`, file);
  }
}

/** Reads ids, one on each line. @throws PARAMETER_INVALID if the file has no ids, or is not a list of ids */
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

/** Explains to an operator why a file cannot be opened. Returns other errors unchanged. */
export function explainOpening(error: unknown, file: string): unknown {
  if (error instanceof NoFileError) return badParameter("file", error.message, file);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return badParameter("file", `There is no file ${file}.`, file);
  if (code === "EISDIR") return badParameter("file", `${file} is a folder, not a file.`, file);
  if (code === "EACCES" || code === "EPERM") return badParameter("file", `You are not allowed to read ${file}.`, file);
  return error;
}
