import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUILT_IN_CATALOG } from "../../src/app/composition/read-catalog.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";

const HELP_LENGTH_MAX = 110;

/** A property of a schema of the built-in catalog, with where it is declared. */
interface Property {
  readonly place: string;
  readonly schema: JsonObject;
}

const files = readdirSync(BUILT_IN_CATALOG, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".schema.json"),
);
const properties = files.flatMap((file) =>
  propertiesIn(JSON.parse(readFileSync(join(BUILT_IN_CATALOG, file), "utf8")) as Json, file),
);

it("finds the schemas of the built-in models", () => {
  expect(files.length).toBeGreaterThanOrEqual(11);
  expect(properties.length).toBeGreaterThan(350);
});

it.each<[string, (schema: JsonObject) => boolean]>([
  ["a title of its own", ({ title }) => typeof title === "string"],
  ["a short title in sentence case", ({ title }) => /^(\p{Lu}|pH$)[^.]{0,39}$/u.test(String(title))],
  ["a help text of its own", ({ description }) => typeof description === "string"],
  [
    "one line of help",
    ({ description }) => [...String(description)].length <= HELP_LENGTH_MAX && !/\n/.test(`${description}`),
  ],
  ["help that is a sentence", ({ description }) => /^(\p{Lu}|pH).*[^.]\.$/u.test(String(description))],
  [
    "help that is not the title",
    ({ title, description }) => `${title}.`.toLowerCase() !== `${description}`.toLowerCase(),
  ],
])("every property has %s", (_, holds) => {
  expect(properties.filter(({ schema }) => !holds(schema)).map(({ place }) => place)).toEqual([]);
});

/** Without conditions, and without the words by which alternatives are chosen: the choosing field itself has texts. */
function propertiesIn(value: Json, place: string): readonly Property[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => propertiesIn(each, `${place}/${i}`));
  if (!isObject(value)) return [];
  const { properties: own, if: _, then: __, else: ___, ...others } = value;
  const named = Object.entries(isObject(own) ? own : {}).filter(([, schema]) => !isWord(schema));
  return [
    ...named.map(([name, schema]) => ({ place: `${place}/${name}`, schema: isObject(schema) ? schema : {} })),
    ...named.flatMap(([name, schema]) => propertiesIn(schema, `${place}/${name}`)),
    ...Object.entries(others).flatMap(([key, inner]) => propertiesIn(inner, `${place}/${key}`)),
  ];
}

function isWord(schema: Json): boolean {
  return isObject(schema) && Object.keys(schema).join() === "const";
}
