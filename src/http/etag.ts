import { fail } from "../core/errors.js";

/** The `ETag` of a resource at a revision. */
export function formatETag(revision: number): string {
  return `"${revision}"`;
}

/**
 * The revision that `If-Match` names, quoted or bare; undefined where there is none, or for `*`.
 *
 * @throws PARAMETER_INVALID for anything else
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === "*") return undefined;
  const digits = REVISION.exec(text)?.[1] ?? REVISION_BARE.exec(text)?.[0];
  if (digits !== undefined) return Number(digits);
  const message = 'If-Match takes one revision, as the ETag has it: "3".';
  const issue = { field: "If-Match", pointer: "/If-Match", code: "PARAMETER_INVALID", messages: [message] };
  throw fail("PARAMETER_INVALID", { issues: [{ ...issue, value: text.slice(0, 100) }] });
}

/** Does `If-None-Match` say that the client has this revision already? */
export function hasRevision(header: string | undefined, revision: number): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim());
  return tags.some((tag) => tag === "*" || REVISION.exec(tag)?.[1] === String(revision) || tag === String(revision));
}

const REVISION = /^(?:W\/)?"(\d{1,15})"$/;
const REVISION_BARE = /^\d{1,15}$/;
