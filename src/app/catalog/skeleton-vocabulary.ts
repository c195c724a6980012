import { inWords } from "../../core/catalog/field-tree.js";

const vocabularyYaml = (name: string): string => `name: ${name} # As the folder.
title: ${inWords(name)}
description: What the items of this vocabulary are, in one line.
id_pattern: "${name}:[1-9][0-9]*" # A regular expression for the whole id.
id_prefixes: [${name}] # ${name}:1 in a query is then read as an id.
languages: [en] # Of titles; the first is the default.
props: # Fields of an item beside its title. A facet is a filter with counts.
  code: { title: Code, type: text }
  group: { title: Group, type: text, facet: Group }
identifiers: [code] # Props that name an item as its id does.
extensible: false # true: any depositor may add items.
`;

const items = (name: string): readonly object[] => [
  { id: `${name}:1`, title: { en: "First item" }, props: { code: "A1", group: "examples" }, synonyms: ["item one"] },
  { id: `${name}:2`, title: { en: "Second item" }, props: { code: "A2", group: "examples" } },
];

/** The files of a new vocabulary with two items, by name. */
export function skeletonVocabulary(name: string): Readonly<Record<string, string>> {
  const lines = items(name).map((item) => `${JSON.stringify(item)}\n`);
  return { "vocabulary.yaml": vocabularyYaml(name), "starter.jsonl": lines.join("") };
}
