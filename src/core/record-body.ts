/** Bodies of records and tombstones, as they are stored and answered. */
import { Type } from "typebox";
import { type Answer, choice, instant, json, openObject, ref, text } from "./answer.js";
import { Issue } from "./issue.js";
import type { JsonObject } from "./json.js";

export const AsCited = Type.Object({
  field: text("The place in the metadata.", ["metadata.general_parameters.instrument"]),
  vocabulary: text("Name of the vocabulary.", ["instruments"]),
  term: openObject("The term as it was cited when the record was published, with its version marker `@v`."),
});
/** The copy of a cited term in the metadata of a record, with its place. */
export type AsCited = Answer<typeof AsCited>;

export const AsCitedList = Type.Array(AsCited, {
  $id: "AsCited",
  description: "For a published record: terms that the operator refreshed later. `metadata` has their current form.",
});

/** Schema of the members of a record that are stored; answers have more. */
export const StoredBody = Type.Object({
  id: text("Ten characters of Crockford's base32; not case-sensitive.", ["zv0gv-btp27"]),
  model: text("Name of the model.", ["mst"]),
  created: instant("When the draft was created, or the record first published."),
  updated: instant("When it last changed."),
  revision_id: Type.Integer({ minimum: 1, description: "Increases by one with each stored change; also the ETag." }),
  state: choice(["draft", "published"]),
  is_draft: Type.Boolean(),
  is_published: Type.Boolean({ description: "For a draft: whether there is a published record with this id." }),
  parent: Type.Object({
    id: text("The same for all versions of a record."),
    owner: Type.Object({ user: text("Id of the user who created it.") }),
  }),
  versions: Type.Object({
    index: Type.Integer({ minimum: 1 }),
    is_latest: Type.Boolean(),
    is_latest_draft: Type.Boolean(),
  }),
  files: Type.Object({ enabled: Type.Boolean() }),
  metadata: openObject(
    "The metadata from the depositor, with the cited terms filled in; the model's schema describes it.",
  ),
  errors: Type.Optional(Type.Array(ref(Issue), { description: "Problems of a draft; absent if there are none." })),
  as_cited: Type.Optional(ref(AsCitedList)),
});

/**
 * The stored body of a record. Clients also see `links` (added when it is read, so that a new public URL rewrites
 * nothing) and `warnings` (returned once, by the write that caused them).
 */
export interface RecordBody<Metadata = JsonObject> extends Omit<Answer<typeof StoredBody>, "metadata"> {
  readonly metadata: Metadata;
}

/** State of a record: a draft may have problems and is private; a published record is valid and public. */
export type RecordState = RecordBody["state"];

export const Tombstone = Type.Object(
  {
    id: text("Id of the retracted record.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    title: Type.String(),
    depositors: Type.Optional(json("The depositors in the record.")),
    publisher: Type.String(),
    created: instant("When it was first published."),
    removed: instant("When it was retracted."),
    removal_reason: text("Empty if no reason was given."),
    removed_by: Type.Optional(text("The curator or admin who retracted it; absent if the owner did.")),
  },
  { $id: "Tombstone", description: "What remains of a retracted record." },
);
/** The tombstone of a retracted record for clients. `title` is "" if the record had none. */
export type TombstoneBody = Answer<typeof Tombstone>;
