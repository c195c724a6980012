/** What the search card of the help shows: the same as docs/search-card.md, which a test compares with it. */
interface CardLine {
  readonly q: string;
  readonly finds: string;
}

export const SEARCH_CARD: readonly CardLine[] = [
  { q: "lysozyme", finds: "every record that contains the word, in any field" },
  { q: "serum albumin", finds: "records that contain both words" },
  { q: '"serum albumin"', finds: "... next to each other" },
  { q: "caffeine OR biotin", finds: "one or the other (OR in capitals)" },
  { q: "lysozyme -albumin", finds: "the first word without the second (no blank after the minus)" },
  { q: "calmo*", finds: "words that begin with `calmo`" },
  { q: "lyzozyme~", finds: "similar words: typos and other spellings" },
  { q: "title:lysozyme", finds: "the word in the title only" },
  { q: "author:Müller", finds: "records by this author; `muller` works too" },
  { q: "instrument:Biacore", finds: "measured with this instrument" },
  { q: "organism:human", finds: "from this organism, by any of its names" },
  { q: "collected:2024", finds: "measured in this year; `2024-05` is a month" },
  { q: "ph:[6 TO 7]", finds: "a number from 6 to 7" },
  {
    q: "kd:<10nM",
    finds: "strong binders, in any unit; also `kon`, `koff`, `temperature:37°C`",
  },
  { q: "organism.within:taxid:2", finds: "from any bacterium: a group and everything below it" },
  {
    q: "10.5072/demo.itc.4",
    finds: "the record with this DOI; ORCIDs, UniProt and PDB ids work too",
  },
];

/** Numbers as they stand in a text, and how they are read. */
export const CARD_READINGS: readonly { readonly q: string; readonly read: string }[] = [
  { q: "KD < 10 nM", read: "KD:<10nM" },
  { q: "kd = 10-100 nM", read: "kd:[10 TO 100nM]" },
  { q: "pH 7.4", read: "pH:7.4 OR (pH AND 7.4)" },
];
