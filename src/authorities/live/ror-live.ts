import { own } from "../../core/json.js";
import { objectsAt, textsAt } from "../dump-documents.js";
import { organisation, relatedTo, rorId } from "../ror.js";
import {
  bareId,
  type LiveSource,
  MISSING,
  NO_PLACE,
  parseCount,
  parseObject,
  requireItem,
  selectItems,
  WrongAnswer,
} from "./live-source.js";

/** Characters with a meaning in searches (of Elasticsearch); `<` and `>` cannot be escaped. */
const SYNTAX = /[+\-=&|!(){}[\]^"~*?:\\/]/g;

/**
 * The REST API of ROR, version 2: `/v2/organizations/<id>` and `/v2/organizations?query=&page=`, whose pages have 20
 * organisations. An unknown id is a 404 with `{"errors": [...]}`.
 * @see https://ror.readme.io/docs/rest-api
 */
export const rorLive: LiveSource = {
  name: "ror",
  title: "ROR",
  ids: /^ror:0[a-z0-9]{8}$/,
  perSecond: 5,
  async find(get, id) {
    const answer = await get(["v2", "organizations", bareId(id)]);
    const record = parseObject(answer);
    if (answer.status !== 200) {
      if (textsAt(record, "errors").length > 0) return MISSING;
      throw new WrongAnswer('a refusal of ROR has "errors"');
    }
    const successor = relatedTo(record, "successor")[0] ?? null;
    return { kind: "found", item: requireItem(organisation(record, rorId(record) ?? "", NO_PLACE, successor)) };
  },
  async search(get, text, page) {
    const query = text.replace(/[<>]/g, " ").replace(SYNTAX, "\\$&");
    const answer = parseObject(await get(["v2", "organizations"], { query, page }));
    const total = parseCount(own(answer, "number_of_results"), "number_of_results");
    const entries = objectsAt(answer, "items").flatMap((record) => {
      const id = rorId(record);
      return id === undefined ? [] : [organisation(record, id, NO_PLACE, relatedTo(record, "successor")[0] ?? null)];
    });
    return { items: selectItems(entries), total };
  },
};
