/** The parameters of reading and completing the text of a query. */
import { Type } from "typebox";
import { choice } from "../schemas/components.js";
import { parameter, queryOf } from "./parameter.js";
import { RecordSearchQuery } from "./search-parameters.js";

const { q, lang } = RecordSearchQuery.parameters;

export const QueryTextQuery = queryOf({
  q,
  model: parameter(
    Type.String({
      description: "Reads the query as one over this model; default: over all models.",
      examples: ["mst"],
    }),
  ),
  vocabulary: parameter(
    Type.String({ description: "Reads it as one over the terms of this vocabulary.", examples: ["organisms"] }),
    { conflicts: { model: 'Send "vocabulary" or "model", not both.' } },
  ),
  at: parameter(
    Type.Integer({
      minimum: 0,
      description: "Adds `completions` for this place of `q`: the number of code points before it.",
      examples: [4],
    }),
  ),
  totals: parameter(choice(["none"], { description: "`none` counts nothing." })),
  lang,
});
