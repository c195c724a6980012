import { inWords } from "../../core/catalog/field-tree.js";

const writeVocabularyYaml = (name: string): string => `name: ${name} # The name of the folder.
title: ${inWords(name)}
description: One line about the terms of this vocabulary.
id_pattern: "${name}:[1-9][0-9]*" # A regular expression for the whole id.
id_prefixes: [${name}] # A query for ${name}:1 then looks for this id.
languages: [en] # Languages of titles; the first is the default.
props: # Fields of a term other than its title. A facet is a filter with counts.
  code: { title: Code, type: text }
  group: { title: Group, type: text, facet: Group }
identifiers: [code] # Props that identify a term, like its id.
extensible: false # true: any depositor may add terms.
`;

const makeTerms = (name: string): readonly object[] => [
  { id: `${name}:1`, title: { en: "First term" }, props: { code: "A1", group: "examples" }, synonyms: ["term one"] },
  { id: `${name}:2`, title: { en: "Second term" }, props: { code: "A2", group: "examples" } },
];

/** Returns the texts of the files of a new vocabulary with two terms, by file name. */
export function vocabularySkeleton(name: string): Readonly<Record<string, string>> {
  const lines = makeTerms(name).map((term) => `${JSON.stringify(term)}\n`);
  return { "vocabulary.yaml": writeVocabularyYaml(name), "starter.jsonl": lines.join("") };
}
