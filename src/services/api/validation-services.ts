import type { Actor } from "../../core/actor.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { LargeAnswer } from "./record-services.js";

/** What is to be said of a body; without `errors` it is valid. */
export interface ValidationResult extends LargeAnswer {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** JSON text: with terms and references filled in, as it would be stored. */
  readonly metadata: string;
}

/** What is to be said of a document of a file. */
export interface ValidatedDocument extends Omit<ValidationResult, "metadata"> {
  /** Where it begins, from 1. */
  readonly line: number;
}

/** Validation of records; stores nothing. */
export interface ValidationServices {
  /** Validates the text of a body as if a draft were made of it. @throws what `createDraft` does */
  validateRecord(actor: Actor, model: string, body: string): Promise<ValidationResult>;
}

/** Validation of the records of a file, for the command line. */
export interface FileValidationServices {
  /** Validates each document of a file: all formats that an import of records takes. @returns how many there are */
  validateFile(input: {
    readonly model: string;
    readonly file: string;
    /** Called for each document, in the order of the file. */
    readonly onDocument: (document: ValidatedDocument) => void;
    readonly onProgress?: (bytesRead: number) => void;
  }): Promise<{ readonly valid: number; readonly invalid: number; readonly warnings: number }>;
}
