/** What a store says that is to be filled with rows of something that its catalog does not have. */
export function refuseStoreRow(kind: "model" | "vocabulary", name: string): Error {
  return new Error(
    `The dump has rows of the ${kind} ${name}, which the catalog does not have. Name the folder that declares it in ` +
      "BINDERY_CATALOG, as the service did that was dumped.",
  );
}
