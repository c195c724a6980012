import type { Warning } from "../../core/issue.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import type { Span } from "./parts.js";

type Extra = Pick<Warning, "value" | "nearest">;

/** More tell nobody more. */
const WARNINGS_MAX = 20;
const HINTS_MAX = 8;

/** Gathers what a query's text was read as, each thing once. */
export class Notes {
  readonly warnings: Warning[] = [];
  /** What of the text each of them is about, as far as that is known. */
  readonly places = new Map<Warning, Span>();
  /** Was anything read otherwise than it was written? */
  fallback = false;
  readonly #said = new Set<string>();
  #hints = HINTS_MAX;

  /** May names near to one more be looked for? That takes time. */
  takeHint(): boolean {
    return this.#hints-- > 0;
  }

  /** The text is fine; something about it is worth a word. */
  warn(code: IssueCodeName, message: string, extra: Extra = {}): void {
    const key = JSON.stringify([code, extra.value]);
    if (this.#said.has(key) || this.warnings.length >= WARNINGS_MAX) return;
    this.#said.add(key);
    this.warnings.push({ code, message, parameter: "q", ...extra });
  }

  /** All that was said since the last time is about this part of the text. */
  place(span: Span): void {
    for (const warning of this.warnings.slice(this.places.size)) this.places.set(warning, span);
  }

  /** The text is not valid, or asks for what is not there: it was read as something else. */
  fallBack(code: IssueCodeName, message: string, extra: Extra = {}): void {
    this.fallback = true;
    this.warn(code, message, extra);
  }
}
