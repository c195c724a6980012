import type { FastifyInstance } from "fastify";
import { fail } from "../../core/errors.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import { addPage, JSON_ONLY, type PageOptions } from "../answers/page-route.js";
import { modelPage, modelsPage } from "../pages/model-pages.js";

/** Models: what a record holds, to be read. */
export function addModelPages(app: FastifyInstance, options: PageOptions): void {
  const { models } = options.catalog;
  addPage(app, options, {
    url: "/models",
    isFixed: true,
    data: JSON_ONLY,
    make: () => modelsPage([...models.values()]),
  });
  addPage(app, options, {
    url: "/models/:model",
    data: JSON_ONLY,
    make: ({ params: { model: name = "" } }) => {
      const model = models.get(name);
      if (model === undefined) throw fail("MODEL_NOT_FOUND", { model: clip(name), known: [...models.keys()] });
      return modelPage(model, options.fieldsOf(model));
    },
  });
}
