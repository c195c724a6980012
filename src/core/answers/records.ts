/** Answers about records and drafts. */
import { Type } from "typebox";
import { type Answer, choice, link, openObject, ref, text } from "../answer.js";
import { Issue, Warning, Warnings } from "../issue.js";
import { StoredBody } from "../record.js";
import { Highlight, hitsPage } from "./searches.js";

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

export const AnsweredCheck = Type.Object(
  {
    check: text("Name of the check in the catalog.", ["kd_from_rates"]),
    result: Type.Optional(
      text("Path of the result or object that is checked. Absent: the check is about several, or the record.", [
        "metadata.general_parameters.results.0",
      ]),
    ),
    status: choice(["agrees", "differs", "note"], {
      description: "`note`: a number or a statement with nothing to compare it with, or something that is missing.",
    }),
    factor: Type.Optional(
      Type.Number({ minimum: 1, description: "By which factor the computed and the stated number differ." }),
    ),
    text: text("The outcome in words.", ["koff / kon is 1.16 nM, like the KD of 1.16 ± 0.1 nM"]),
    formula: text("How it is computed.", ["KD = koff / kon"]),
  },
  { $id: "Check", description: "The outcome of a check of a record. Nothing of it is stored or exported." },
);
export type AnsweredCheck = Answer<typeof AnsweredCheck>;

export const AnsweredRecord = Type.Object(
  {
    ...StoredBody.properties,
    links: ref(RecordLinks),
    warnings: Warnings,
    highlight: Type.Optional(ref(Highlight)),
    expanded: Type.Optional(
      Type.Object({ requests: Type.Array(Type.Unknown()) }, { description: "With expand=true." }),
    ),
    checks: Type.Optional(
      Type.Array(ref(AnsweredCheck), {
        description: "With expand=checks: outcomes of the checks that the model declares, computed from the record.",
      }),
    ),
  },
  { $id: "Record", description: "A draft or a published record." },
);
export type AnsweredRecord = Answer<typeof AnsweredRecord>;

export const RecordPage = hitsPage("RecordSearch", AnsweredRecord, "One page of records.");

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
