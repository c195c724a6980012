/** Schemas of terms in requests, of vocabularies, and of the history and the citations of terms. */
import { type TSchema, Type } from "typebox";
import { LIMITS } from "../../core/limits.js";
import { LANGUAGE_TAG, TERM_SERVER_KEYS } from "../../core/term.js";
import { TERM_ACTIONS } from "../../services/api/vocabularies.js";
import { LINE_PATTERN } from "../../services/input/characters.js";
import { OTHER_MEMBERS } from "./body-components.js";
import { choice, instant, link, ref, search, text } from "./components.js";

const open = (description: string) => Type.Unsafe({ type: "object", description, additionalProperties: true });

const line = Type.String({ pattern: LINE_PATTERN, minLength: 1 });
const titleText = Type.String({ ...line, maxLength: LIMITS.termTitleLengthMax });
const languageTag = Type.String({ pattern: LANGUAGE_TAG.source });

const title = Type.Union(
  [titleText, Type.Object({}, { propertyNames: languageTag, additionalProperties: titleText, minProperties: 1 })],
  { description: 'By language: {"en": "Lysozyme"}; a text alone is in the first language of the vocabulary.' },
);

const synonym = Type.Object(
  { name: line, kind: Type.Optional(line), lang: Type.Optional(languageTag) },
  { additionalProperties: false },
);

/** Declares the id of another term, alone or in an object as in responses. */
const target = (description: string) => {
  const id = Type.String({ minLength: 1, maxLength: LIMITS.termIdLengthMax });
  return Type.Union([id, Type.Object({ id }, OTHER_MEMBERS), Type.Null()], { description });
};

/** Schemas of the members of a term that the service sets. */
const serverMembers = Object.fromEntries(
  TERM_SERVER_KEYS.map((key) => [key, Type.Optional(Type.Unsafe({ ...ref("ShowableJson"), description: "Ignored." }))]),
);

const optionalMembers = {
  props: Type.Optional(
    Type.Union([Type.Object({}, OTHER_MEMBERS), Type.Null()], {
      description: "The other fields that the vocabulary declares.",
    }),
  ),
  synonyms: Type.Optional(
    Type.Union([Type.Array(Type.Union([line, synonym])), Type.Null()], {
      description: "Texts, or {name, kind, lang}.",
    }),
  ),
  parent: Type.Optional(target("Id of the parent, if the vocabulary has a hierarchy.")),
  status: Type.Optional(
    Type.Union([choice(["active", "deprecated"]), Type.Null()], {
      description: "Default: active, or deprecated with `replaced_by`. An active term has no `replaced_by`.",
    }),
  ),
  replaced_by: Type.Optional(target("Id of the successor of a deprecated term.")),
  confirmed: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: "false: the term waits for a curator." }),
  ),
  ...serverMembers,
};

const TermBody = Type.Object(
  {
    id: Type.Optional(text("Must match the pattern that the vocabulary declares; optional in a PUT.", ["taxid:562"])),
    title,
    ...optionalMembers,
  },
  {
    $id: "TermBody",
    description:
      "Members that the service sets are ignored, so a response can be sent back as a body; other keys are an error. " +
      "null stands for an absent member.",
    additionalProperties: false,
  },
);

const TermValidation = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether the term could be added." }),
    errors: Type.Array(ref("Issue")),
    warnings: Type.Array(ref("Warning"), { description: "`TERM_ALIKE`: terms that may be the same." }),
  },
  { $id: "TermValidation", description: "The result of validating a term with validate=only." },
);

const TermPatch = Type.Object(
  {
    id: Type.Optional(text("Must be the id of the path.")),
    title: Type.Optional(
      Type.Union([
        titleText,
        Type.Object({}, { propertyNames: languageTag, additionalProperties: Type.Union([titleText, Type.Null()]) }),
      ]),
    ),
    ...optionalMembers,
  },
  {
    $id: "TermPatch",
    description:
      "A JSON merge patch (RFC 7396) of the term: absent members do not change, null removes, lists are replaced. " +
      '`{"title": {"en": "Lysozyme C"}, "props": {"rank": null}}`',
    additionalProperties: false,
  },
);

const TermMerge = Type.Object(
  { into: text("Id of the term that replaces this one; if that was replaced, its successor does.", ["taxid:9606"]) },
  { $id: "TermMerge", additionalProperties: false },
);

const TermLinks = Type.Object(
  {
    self: link("The term."),
    self_html: link("Its page, for people."),
    citations: link("The records that cite it."),
    structure: Type.Optional(link("A picture of the compound, if the term has its structure.")),
  },
  { $id: "TermLinks" },
);

const TermLookupHit = Type.Object(
  {
    id: text("", ["ror:024d6js02"]),
    type: text("Name of the vocabulary.", ["affiliations"]),
    title: open('By language: {"en": "Charles University"}.'),
    props: open("The other fields that the vocabulary declares."),
    source: Type.Object({
      authority: text("Name of the authority that was asked.", ["ror"]),
      loaded: Type.Boolean({
        description: "Whether the vocabulary has the term; if so, the hit is this term.",
      }),
    }),
    links: open("The links of the term; {} if it is not loaded."),
  },
  {
    $id: "TermLookupHit",
    description: "A term as in a search of the vocabulary; `@v`, times and revision only if it is loaded.",
    additionalProperties: true,
  },
);

const EditedField = Type.Object(
  {
    field: text("", ["title.en", "props.rank", "parent"]),
    time: instant("When it was changed."),
  },
  {
    $id: "EditedField",
    description:
      "A field that a person changed since the source of the term last did: a sync with the source keeps it.",
  },
);

const TermChange = Type.Object(
  {
    revision_id: Type.Integer({ minimum: 1, description: "The new revision; for `removed` the last one." }),
    action: choice(TERM_ACTIONS, { description: "loaded: by an import, or from the dump of an authority." }),
    time: instant("When it was made."),
    by: text("Name of the user at that time; `operator`: the command line.", ["carla"]),
    source: Type.Optional(text("For `loaded`: the loaded source.", ["ncbi"])),
    fields: Type.Array(
      Type.Object({
        field: text("", ["title.en", "props.rank", "parent"]),
        from: Type.Optional(Type.Unknown({ description: "Absent if it is new." })),
        to: Type.Optional(Type.Unknown({ description: "Absent if it was removed." })),
      }),
      { description: "The differences; empty for `created` and `removed`." },
    ),
  },
  { $id: "TermChange", description: "One change of a term." },
);

const VocabularySource = Type.Object(
  {
    authority: text("Name of the authority.", ["ncbi"]),
    title: Type.String(),
    url: text("Address of its dumps."),
    licence: Type.String(),
    release: Type.Optional(text("The release according to the dump.", ["v2.8", "2026-11-01"])),
    file: text("Name of the file or folder.", ["taxdump.tar.gz"]),
    sha256: text("Digest of the file, in hex; for a folder, the digest of the list of the digests of its files."),
    loaded: instant("When it was last loaded."),
  },
  { $id: "VocabularySource", description: "A dump of an authority, as it was last loaded into a vocabulary." },
);

const VocabularySummary = Type.Object(
  {
    id: text("Name of the vocabulary.", ["organisms"]),
    title: Type.String(),
    description: Type.String(),
    authority: Type.Optional(text("Name of the authority that maintains it.", ["ncbi"])),
    count: Type.Integer({ minimum: 0, description: "Number of its terms." }),
    stale: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Number of published records with an older version of its terms; absent if there is no search index.",
      }),
    ),
    id_pattern: text("Regular expression that ids match as a whole.", ["^taxid:[0-9]+$"]),
    extensible: Type.Boolean({ description: "Whether any depositor may add terms." }),
    lookup: Type.Optional(
      text("The authority that provides terms that are not loaded; absent if there is none.", ["ncbi"]),
    ),
    sources: Type.Optional(
      Type.Array(ref("VocabularySource"), { description: "Dumps of authorities that were loaded, by authority." }),
    ),
    links: Type.Object({
      self: link("The vocabulary."),
      items: link("Search of its terms."),
      lookup: Type.Optional(link("Search at the authority.")),
    }),
  },
  { $id: "VocabularySummary" },
);

const AsCited = Type.Array(
  Type.Object({
    field: text("The place in the metadata.", ["metadata.general_parameters.instrument"]),
    vocabulary: text("Name of the vocabulary.", ["instruments"]),
    term: open("The term as it was cited when the record was published, with its version marker `@v`."),
  }),
  {
    $id: "AsCited",
    description: "For a published record: terms that the operator refreshed later. `metadata` has their current form.",
  },
);

/** Shared schemas, which refer to those of `components.ts` and `body-components.ts`. */
export const TERM_COMPONENTS: readonly TSchema[] = [
  TermBody,
  TermValidation,
  TermPatch,
  TermMerge,
  TermLinks,
  AsCited,
  EditedField,
  TermChange,
  VocabularySource,
  VocabularySummary,
  TermLookupHit,
  search("TermLookup", ref("TermLookupHit"), "One page of hits of an authority; `total` is its own count."),
  search("TermHistory", ref("TermChange"), "One page of the changes of a term, newest first."),
];
