/** What the service says of itself. */
import { type TSchema, Type } from "typebox";
import { link, text, Warnings } from "./components.js";

const Service = Type.Object(
  {
    name: text("Of the program.", ["Bindery"]),
    version: text("Of the program, see CHANGELOG.md.", ["0.1.0"]),
    links: Type.Object({
      self: link("This."),
      docs: link("The interface as a page."),
      openapi: link("The interface as OpenAPI 3.1."),
      models: link("All models of records."),
      vocabularies: link("All vocabularies."),
      search: link("Search of the published records."),
      changes: link("The change feed."),
    }),
    warnings: Type.Optional(Warnings),
  },
  { $id: "Service", description: "The service itself." },
);

export const SERVICE_COMPONENTS: readonly TSchema[] = [Service];
