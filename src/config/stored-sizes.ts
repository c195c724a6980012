import { Type } from "typebox";
import { QUOTA_SETTINGS_DEFAULT, RECORD_TEXT_KB_DEFAULT, TEXT_KB_DEFAULT } from "../core/limits.js";

const quota = (name: keyof typeof QUOTA_SETTINGS_DEFAULT, description: string) =>
  Type.Integer({
    default: QUOTA_SETTINGS_DEFAULT[name],
    minimum: 0,
    maximum: 100_000_000,
    description: `${description} \`0\`: no limit.`,
  });

/** Settings that limit what one record holds, and what one user stores. */
export const STORED_SIZES = {
  textKb: Type.Integer({
    default: TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of one text of a record (a description, a sequence), in kilobytes of 1,000 bytes (UTF-8). A record " +
      "with a longer text is refused, as a draft too, with the field; what is stored already stays: `bindery load` " +
      "takes it as it is, and `bindery verify` lists it. It is never more than `BINDERY_RECORD_TEXT_KB`.",
  }),
  recordTextKb: Type.Integer({
    default: RECORD_TEXT_KB_DEFAULT,
    minimum: 10,
    maximum: 10_000,
    description:
      "Size of all texts of a record together, keys included, in kilobytes of 1,000 bytes (UTF-8). A record with " +
      "more text is refused with 413 `RECORD_TOO_LARGE`, and so is one in which cited terms and references within " +
      "the record have more than this size as they are filled in. Pages, searches and memory grow with it.",
  }),
  draftsPerUser: quota(
    "draftsPerUser",
    "Maximum number of open drafts that one user owns; further ones are refused with 413 `QUOTA_EXCEEDED`. A " +
      "published or deleted draft counts no longer. What an operator imports or transfers is never refused.",
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
