import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Synonym, TermContent } from "../../src/core/term.js";
import { makeOrganism } from "../../test/support/items.js";

/** So many generated organisms: a tree in which each has eight children. */
export async function* generatedTaxa(size: number): AsyncGenerator<TermContent> {
  for (let n = 0; n < size; n++) {
    const { id, title, props, synonyms, parent } = makeOrganism(n) as unknown as TermContent;
    const above = n === 0 ? {} : { parent: parent! };
    yield { id, title, props, synonyms: synonyms!, status: "active", ...above };
  }
}

/** Columns of a taxdump are parted by a tab, a bar and a tab. */
const COLUMN = /\t\|\t?/;

/** The items of the authority's dump, both of whose tables stand in the order of the ids. */
export async function* dumpedTaxa(file: string): AsyncGenerator<TermContent> {
  const names = rowsOf(file, "names.dmp");
  let name = await names.next();
  for await (const [id, parent, rank] of rowsOf(file, "nodes.dmp")) {
    let title = "";
    const synonyms: Synonym[] = [];
    while (!name.done && name.value[0] === id) {
      const [, text, , kind] = name.value;
      if (kind === "scientific name") title = text!;
      else synonyms.push({ name: text!, kind: kind! });
      name = await names.next();
    }
    yield {
      id: `taxid:${id}`,
      title: { en: title },
      props: { rank: rank! },
      ...(synonyms.length === 0 ? {} : { synonyms }),
      ...(parent === id ? {} : { parent: `taxid:${parent}` }),
      status: "active",
    };
  }
}

async function* rowsOf(file: string, member: string): AsyncGenerator<readonly string[]> {
  const tar = spawn("tar", ["-xzOf", file, member], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: tar.stdout })) yield line.split(COLUMN);
}
