import { expect, it } from "vitest";
import { openServices } from "../../../test/support/open-services.js";
import type { Citation } from "../../ports/store.js";
import { cacheCitations } from "./store-care.js";

it("gives what the store gives, also for aliases and unknown ids, and asks for each term once", async () => {
  const { store, dispose } = await openServices();
  try {
    const asked: string[] = [];
    const terms = cacheCitations({
      ...store.terms,
      cite: (references) => {
        asked.push(...references.map(({ id }) => id));
        return store.terms.cite(references);
      },
    });
    const few = ["en", "eng", "xx"].map((id) => ({ vocabulary: "languages", id }));
    const more = [{ vocabulary: "organisms", id: "taxid:562" }, ...few];
    const byId = (all: readonly Citation[]) => [...all].sort((a, b) => (a.reference.id < b.reference.id ? -1 : 1));
    for (const references of [few, more, few]) {
      expect(byId(await terms.cite(references))).toEqual(byId(await store.terms.cite(references)));
    }
    expect(asked).toEqual(["en", "eng", "xx", "taxid:562"]);
    expect((await terms.cite(more)).map(({ term }) => term.id)).toEqual(["taxid:562", "en", "en"]);
  } finally {
    await dispose();
  }
});
