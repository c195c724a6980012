/** What people name themselves and their tokens. */
const NAME = /^[^\p{C}\s]([^\p{C}\p{Zl}\p{Zp}]{0,98}[^\p{C}\s])?$/u;

export const NAME_RULE =
  "A name must have 1 to 100 characters, no control characters, and no space at its start or end.";

export function isName(text: string): boolean {
  return NAME.test(text);
}
