/** What the service says of itself. */
import { type TSchema, Type } from "typebox";
import { link, text, Warnings } from "./components.js";

const Service = Type.Object(
  {
    name: text("Name of the program.", ["Bindery"]),
    version: text("Version of the program; see CHANGELOG.md.", ["0.1.0"]),
    links: Type.Object({
      self: link("This."),
      docs: link("The API reference as a page."),
      openapi: link("The API as an OpenAPI 3.1 document."),
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
