/** One row of the table `change`; what follows from a write (feed, search index) reads it. */
export interface Change {
  readonly kind: "record" | "term";
  readonly action: "published" | "updated" | "created" | "removed" | "imported" | "shared" | "reindexed";
  /** Model or vocabulary. */
  readonly place: string;
  /** Of what is `reindexed` both states. Of an import its number, under which its entries stand in `change_term`. */
  readonly id: string;
  readonly state?: "draft" | "published";
  readonly revision?: number;
}
