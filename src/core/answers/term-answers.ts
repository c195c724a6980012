/** Answers about vocabularies, the sources of their terms, and terms: content, history, hits of authorities. */
import { Type } from "typebox";
import { type Answer, choice, count, instant, json, link, openObject, ref, text, titles } from "../answer.js";
import { Issue, Warning, Warnings } from "../issue.js";
import { Highlight, hitsPage } from "./searches.js";

export const VocabularySource = Type.Object(
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
export type VocabularySource = Answer<typeof VocabularySource>;

/** Schema of a vocabulary without its links. */
const UnlinkedVocabulary = Type.Object({
  id: text("Name of the vocabulary.", ["organisms"]),
  title: Type.String(),
  description: Type.String(),
  authority: Type.Optional(text("Name of the authority that maintains it.", ["ncbi"])),
  count: count("Number of its terms."),
  stale: Type.Optional(
    count("Number of published records with an older version of its terms; absent if there is no search index."),
  ),
  id_pattern: text("Regular expression that ids match as a whole.", ["^taxid:[0-9]+$"]),
  extensible: Type.Boolean({ description: "Whether any depositor may add terms." }),
  lookup: Type.Optional(
    text("The authority that provides terms that are not loaded; absent if there is none.", ["ncbi"]),
  ),
  sources: Type.Optional(
    Type.Array(ref(VocabularySource), { description: "Dumps of authorities that were loaded, by authority." }),
  ),
});
/** An entry of the list of vocabularies, without its links. */
export type VocabularyHit = Answer<typeof UnlinkedVocabulary>;

export const VocabularySummary = Type.Object(
  {
    ...UnlinkedVocabulary.properties,
    links: Type.Object({
      self: link("The vocabulary."),
      items: link("Search of its terms."),
      lookup: Type.Optional(link("Search at the authority.")),
    }),
  },
  { $id: "VocabularySummary" },
);
export type VocabularySummary = Answer<typeof VocabularySummary>;

export const VocabularyList = hitsPage("VocabularyList", VocabularySummary, "All vocabularies.");

export const TermLinks = Type.Object(
  {
    self: link("The term."),
    self_html: link("Its page, for people."),
    citations: link("The records that cite it."),
    structure: Type.Optional(link("A picture of the compound, if the term has its structure.")),
  },
  { $id: "TermLinks" },
);
export type TermLinks = Answer<typeof TermLinks>;

export const EditedField = Type.Object(
  {
    field: text("Name of the field.", ["title.en", "props.rank", "parent"]),
    time: instant("When it was changed."),
  },
  {
    $id: "EditedField",
    description:
      "A field that a person changed after the last load from the source of the term; a sync keeps this value.",
  },
);
export type EditedField = Answer<typeof EditedField>;

/** Schema of another name of a term. */
export const Synonym = Type.Object({ name: Type.String(), kind: Type.String(), lang: Type.Optional(Type.String()) });

/** Schema of the parent or an ancestor of a term. */
export const RelatedTerm = Type.Object({ id: Type.String(), title: titles() });

/** Schema of the numbers of terms below a term. */
const TermsBelow = Type.Object(
  { children: count(), all: count() },
  {
    description: "Number of direct children and of all descendants. Only in answers with a single term of a hierarchy.",
  },
);
export type TermsBelow = Answer<typeof TermsBelow>;

export const Term = Type.Object(
  {
    id: text("Id of the term.", ["taxid:562"]),
    type: text("Name of the vocabulary.", ["organisms"]),
    title: titles(),
    props: openObject("The other fields that the vocabulary declares; {} if there are none."),
    "@v": text("Version marker: <uuid>::<revision>."),
    created: instant("When it was added."),
    updated: instant("When it last changed."),
    revision_id: Type.Integer({ minimum: 1 }),
    synonyms: Type.Optional(Type.Array(Synonym)),
    parent: Type.Optional(RelatedTerm),
    ancestors: Type.Optional(Type.Array(RelatedTerm, { description: "Root first; only for a single term." })),
    below: Type.Optional(TermsBelow),
    status: Type.Optional(choice(["active", "deprecated"])),
    replaced_by: Type.Optional(Type.String()),
    confirmed: Type.Optional(
      Type.Literal(false, { description: "A depositor added it, and no curator has confirmed it yet." }),
    ),
    edited: Type.Optional(Type.Array(ref(EditedField), { description: "Only for a single term." })),
    cited_by: count("Number of records whose latest version cites it."),
    links: ref(TermLinks),
    matched: Type.Optional(
      Type.Object(
        { field: Type.String(), text: Type.String(), kind: Type.Optional(Type.String()) },
        { description: "With `suggest`: the field and the text that matched; for a synonym also its kind." },
      ),
    ),
    highlight: Type.Optional(ref(Highlight)),
    warnings: Warnings,
  },
  { $id: "Term", description: "A term of a vocabulary." },
);
export type Term = Answer<typeof Term>;

export const TermPage = hitsPage("TermSearch", Term, "One page of a vocabulary's terms.");

export const TermValidation = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether the term could be added." }),
    errors: Type.Array(ref(Issue)),
    warnings: Type.Array(ref(Warning), { description: "`TERM_ALIKE`: terms that may be the same." }),
  },
  { $id: "TermValidation", description: "The result of validating a term with validate=only." },
);
export type TermValidation = Answer<typeof TermValidation>;

export const TermLookupHit = Type.Object(
  {
    ...Type.Pick(Term, ["id", "type", "title", "props", "synonyms", "status", "replaced_by"]).properties,
    ...Type.Partial(Type.Pick(Term, ["@v", "created", "updated", "revision_id", "parent", "confirmed", "cited_by"]))
      .properties,
    source: Type.Object({
      authority: text("Name of the authority that returned the hit.", ["ror"]),
      loaded: Type.Boolean({
        description: "Whether the vocabulary has the term; if so, the hit is this term.",
      }),
    }),
    links: Type.Object(Type.Partial(TermLinks).properties, {
      description: "The links of the term; {} if it is not loaded.",
    }),
  },
  {
    $id: "TermLookupHit",
    description: "A term as in a search of the vocabulary; `@v`, times and revision only if it is loaded.",
  },
);
export type TermLookupHit = Answer<typeof TermLookupHit>;

export const TermLookup = hitsPage(
  "TermLookup",
  TermLookupHit,
  "One page of hits of an authority; `total` is its own count.",
);

/** Schema of a changed field of a term. */
const FieldChange = Type.Object({
  field: text("Name of the field.", ["title.en", "props.rank", "parent"]),
  from: Type.Optional(json("Absent if it is new.")),
  to: Type.Optional(json("Absent if it was removed.")),
});
/** A changed field: `title.en`, `parent`, `synonyms`, `status`, `replaced_by`, `confirmed` or `props.rank`. */
export type FieldChange = Answer<typeof FieldChange>;

export const TermChange = Type.Object(
  {
    revision_id: Type.Integer({ minimum: 1, description: "The new revision; for `removed` the last one." }),
    action: choice(["created", "changed", "merged", "confirmed", "removed", "loaded"], {
      description: "loaded: by an import, or from the dump of an authority.",
    }),
    time: instant("When it was made."),
    by: text("Name of the user at that time; `operator`: the command line.", ["carla"]),
    source: Type.Optional(text("For `loaded`: the loaded source.", ["ncbi"])),
    fields: Type.Array(FieldChange, { description: "The differences; empty for `created` and `removed`." }),
  },
  { $id: "TermChange", description: "One change of a term." },
);
export type TermChange = Answer<typeof TermChange>;

export const TermHistory = hitsPage("TermHistory", TermChange, "One page of the changes of a term, newest first.");
