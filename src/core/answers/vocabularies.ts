/** Answers about vocabularies and the sources of their terms. */
import { Type } from "typebox";
import { type Answer, count, instant, link, ref, text } from "../answer.js";
import { pageOf } from "./searches.js";

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

export const VocabularyList = pageOf("VocabularyList", VocabularySummary, "All vocabularies.");
