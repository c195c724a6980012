/** Answers about records and drafts. */
import { Type } from "typebox";
import { type Answer, link, openObject, ref } from "../answer.js";
import { Issue, Warning, Warnings } from "../issue.js";
import { StoredBody } from "../record.js";
import { Highlight, pageOf } from "./searches.js";

export const RecordLinks = Type.Object(
  {
    self: link("The record, or the draft."),
    self_html: Type.Optional(link("The page of a published record, for people.")),
    draft: Type.Optional(link("The draft.")),
    record: Type.Optional(link("The published record.")),
    publish: Type.Optional(link("POST here to publish the draft.")),
    versions: Type.Optional(link("The published versions; POST here to create the draft of a new one.")),
    latest: Type.Optional(link("Redirects to the latest published version.")),
    files: link("Always an empty list: this service stores no files."),
  },
  { $id: "RecordLinks", description: "Links that apply to the record or draft." },
);
export type RecordLinks = Answer<typeof RecordLinks>;

export const AnsweredRecord = Type.Object(
  {
    ...StoredBody.properties,
    links: ref(RecordLinks),
    warnings: Warnings,
    highlight: Type.Optional(ref(Highlight)),
    expanded: Type.Optional(
      Type.Object({ requests: Type.Array(Type.Unknown()) }, { description: "With expand=true." }),
    ),
  },
  { $id: "Record", description: "A draft or a published record." },
);
export type AnsweredRecord = Answer<typeof AnsweredRecord>;

export const RecordPage = pageOf("RecordSearch", AnsweredRecord, "One page of records.");

export const FileList = Type.Object(
  { enabled: Type.Boolean(), entries: Type.Array(Type.Unknown(), { maxItems: 0 }) },
  { $id: "Files", description: "The files of a record; always empty." },
);

export const RecordValidation = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether it could be published." }),
    errors: Type.Array(ref(Issue)),
    warnings: Type.Array(ref(Warning)),
    metadata: openObject("The metadata as it would be stored, with cited terms filled in."),
  },
  { $id: "ValidationResult", description: "The result of validating a body with validate=only." },
);
export type RecordValidation = Answer<typeof RecordValidation>;
