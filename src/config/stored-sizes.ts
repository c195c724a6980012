import { Type } from "typebox";
import { QUOTA_SETTINGS_DEFAULT, RECORD_TEXT_KB_DEFAULT, TEXT_KB_DEFAULT } from "../core/limits.js";

const quota = (name: keyof typeof QUOTA_SETTINGS_DEFAULT, description: string) =>
  Type.Integer({
    default: QUOTA_SETTINGS_DEFAULT[name],
    minimum: 0,
    maximum: 100_000_000,
    description: `${description} \`0\`: no limit.`,
  });

/** Settings that limit the size of a record and the storage of a user. */
export const STORED_SIZES = {
  textKb: Type.Integer({
    default: TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of one text of a record (a description, a sequence), in kilobytes of 1,000 bytes (UTF-8). A record " +
      "or draft with a longer text is refused, and the error names the field. Longer texts that are already stored " +
      "stay: `bindery load` accepts them, and `bindery verify` lists them. `BINDERY_RECORD_TEXT_KB` bounds this value.",
  }),
  recordTextKb: Type.Integer({
    default: RECORD_TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of all texts of a record together, keys included, in kilobytes of 1,000 bytes (UTF-8). A record with " +
      "more text is refused with 413 `RECORD_TOO_LARGE`. So is a record in which the texts that are filled in for " +
      "cited terms and references are larger than this. Pages, searches and memory grow with it.",
  }),
  draftsPerUser: quota(
    "draftsPerUser",
    "Maximum number of open drafts that one user owns; further ones are refused with 413 `QUOTA_EXCEEDED`. A " +
      "published or deleted draft does not count any more. Imports and transfers by an operator are never refused.",
  ),
  draftMbPerUser: quota(
    "draftMbPerUser",
    "Maximum size of all open drafts together that one user owns, in megabytes of 1,000,000 bytes, as they are " +
      "stored (JSON, UTF-8). A draft that does not fit is refused with 413 `QUOTA_EXCEEDED`; one that becomes " +
      "smaller is always saved.",
  ),
  uncitedTermsPerUser: quota(
    "uncitedTermsPerUser",
    "Maximum number of terms of vocabularies that one user created through the API and that no record or draft " +
      "cites; further ones are refused with 413 `QUOTA_EXCEEDED`.",
  ),
};
