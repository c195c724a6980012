/** Use cases that say whether records are valid, and keep nothing. */
import type { Actor } from "../core/actor.js";
import type { Issue, Warning } from "../core/issue.js";

/** What is to be said of a body; without `errors` it is valid. */
export interface Judgement {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** JSON text: with terms and references filled in, as it would be stored. */
  readonly metadata: string;
}

export interface JudgeServices {
  /** Judges the text of a body as if a draft were made of it. @throws what `createDraft` does */
  judgeRecord(actor: Actor, model: string, body: string): Promise<Judgement>;
}

/** What is to be said of a document of a file. */
export interface JudgedDocument extends Omit<Judgement, "metadata"> {
  /** Where it begins, from 1. */
  readonly line: number;
}

/** For the command line. */
export interface FileJudgeServices {
  /** Judges each document of a file: all formats that an import of records takes. @returns how many there are */
  judgeFile(input: {
    readonly model: string;
    readonly file: string;
    /** Called for each document, in the order of the file. */
    readonly onJudged: (document: JudgedDocument) => void;
    readonly onProgress?: (bytesRead: number) => void;
  }): Promise<{ readonly valid: number; readonly invalid: number; readonly warnings: number }>;
}
