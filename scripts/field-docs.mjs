/** Writes docs/search-fields.md: the short names of the built-in models, each where it is declared. Needs a build. */
import { relative } from "node:path";
import { cell, code, page, table } from "./markdown.mjs";

const INTRO = `\
The short names of the query language that the built-in models declare ([search-syntax.md](search-syntax.md)), with the
paths in the JSON of the record for which they stand. A field with a facet is also a parameter that filters. A model has
the fields that it declares itself and those of the base that it extends ([catalog.md](catalog.md#extending-a-model)).`;

/**
 * The page.
 *
 * @param catalog the built-in one
 * @param built imports a file of the build
 * @param root folder to which the names of files are relative
 */
export async function fieldPage({ models }, built, root) {
  const { showModel } = await built("app/catalog/show-model.js");
  const shown = [...models.keys()].map((name) => showModel(name, []));
  const bases = [...new Set(shown.flatMap(({ files }) => files.extends))];
  const blocks = [
    ...bases.map((file) => {
      const extending = shown.filter(({ files }) => files.extends.includes(file));
      const names = extending.map(({ name }) => code(name)).join(", ");
      return section(`Shared by ${names}`, file, declaredIn(file, extending[0]));
    }),
    ...shown.map((model) =>
      section(models.get(model.name).title, model.files.model, declaredIn(model.files.model, model)),
    ),
  ];
  return page("Search fields", INTRO, blocks);

  function section(title, file, fields) {
    const rows = fields.map(({ name, aliases, facet = "", paths, where = {}, derived = [] }) => {
      const texts = Object.entries(where).map(([key, text]) => ` where ${code(key)} is ${cell(text)}`);
      const sources = derived.length === 0 ? "" : `; derived from ${derived.map(code).join(", ")}`;
      const path = paths.map(code).join(", ") + texts.join("") + sources;
      return [[name, ...aliases].map(code).join(", "), cell(facet), path];
    });
    const head = `Declared in ${code(relative(root, file))}.`;
    return `## ${title}\n\n${head}\n\n${table(["Field", "Facet", "Path"], rows)}`;
  }
}

/** The fields of a model that a file declares; those of a base that the model does not change. */
function declaredIn(file, { fields }) {
  return fields.filter(({ declared }) => declared[0].replace(/:\d+$/, "") === file);
}
