/** A person's name is found as people cite it: in both orders, with a comma, with initials, in a field or in none. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { publish, recordWith } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
const numbers = new Map<string, number>();

const person = (given_name: string, family_name: string) => ({
  given_name,
  family_name,
  affiliations: [{ id: "ror:024d6js02" }],
});
const ada = { ...person("Ada", "Example"), identifiers: ["orcid:0000-0002-1825-0097"] };

/** The depositor and the contributors of each record. Words of different people never make a name. */
const PEOPLE = [
  [person("Zoë", "Müller"), person("Peter", "Smith")],
  [person("Zoë", "Smith"), person("Peter", "Müller"), person("Ludwig", "van Beethoven")],
  [person("Karel", "Novák"), person("J. R. R.", "Tolkien"), person("Jean-Pierre", "Serre"), person("小明", "王")],
  [person("Zoë Anna", "Müller-Lüdenscheidt"), person("Mary", "O'Brien")],
];

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (const [i, [depositor, ...contributors]] of PEOPLE.entries()) {
    const depositors = { depositor, principal_contact: ada, contributors };
    const { id } = await publish(alice.client, recordWith(i + 1, { depositors }, { title: `Record ${i}` }));
    numbers.set(id, i);
  }
});
afterAll(() => bindery.dispose());

async function search(q: string): Promise<readonly number[]> {
  const { body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?q=${encodeURIComponent(q)}`);
  return body.hits.hits.map(({ id }) => numbers.get(id)!).sort();
}

describe.each(["author:", "creators:", "depositors:", ""])("a name in quotes: %s", (field) => {
  it.each([
    ["Zoë Müller", [0, 3]],
    ["Müller Zoë", [0, 3]],
    ["Müller, Zoë", [0, 3]],
    ["zoe muller", [0, 3]],
    ["Z. Müller", [0, 3]],
    ["Z Müller", [0, 3]],
    ["Müller, Z.", [0, 3]],
    ["Müller Z", [0, 3]],
    ["Müller,Z.", [0, 3]],
    ["Zoë Smith", [1]],
    ["Smith, Peter", [0]],
    ["Peter Müller", [1]],
    ["P. Müller", [1]],
    ["Peter Novák", []],
    ["X. Müller", []],
    ["Ludwig van Beethoven", [1]],
    ["van Beethoven, Ludwig", [1]],
    ["L. van Beethoven", [1]],
    ["Beethoven, L.", [1]],
    ["Peter van Beethoven", []],
    ["J. R. R. Tolkien", [2]],
    ["J.R.R. Tolkien", [2]],
    ["JRR Tolkien", [2]],
    ["Tolkien JRR", [2]],
    ["Tolkien, J. R. R.", [2]],
    ["Tolkien, J.", [2]],
    ["Jean-Pierre Serre", [2]],
    ["J.-P. Serre", [2]],
    ["Serre, J.-P.", [2]],
    ["Serre JP", [2]],
    ["王小明", [2]],
    ["小明王", [2]],
    ["王 小明", [2]],
    ["Zoë A. Müller-Lüdenscheidt", [3]],
    ["Müller-Lüdenscheidt, Zoë Anna", [3]],
    ["ZA Müller-Lüdenscheidt", [3]],
    ["Mary O'Brien", [3]],
    ["O’Brien, M.", [3]],
    ["O'Brien M", [3]],
    ["M. O'Brien", [3]],
    ["Ada Example", [0, 1, 2, 3]],
    ["Zoë Anna Müller-Lüdenscheidt", [3]],
    ["Zoë Anna Müller", [3]],
    ["Müller-Lüdenscheidt Zoë Anna", [3]],
    ["Zoë Anna Smith", []],
    ["Zoë Müller and Peter Smith", []],
    ["Zoë Anna Peter Smith Müller Novák Karel", []],
  ] as const)("%s", async (name, found) => {
    const written = field === "" && name === "zoe muller" ? "Zoe Muller" : name;
    expect(await search(`${field}"${written}"`)).toEqual(found);
  });
});

it.each([
  ['depositor:"Zoë Müller"', [0, 3]],
  ['depositor:"Peter Smith"', []],
  ['contributor:"Peter Smith"', [0]],
  ['contributor:"Smith, P."', [0]],
  ['contributor:("Peter Smith")', [0]],
  ['depositors.contributors:("Peter Smith")', [0]],
  ['contact:"A. Example"', [0, 1, 2, 3]],
  ["author:Müller,Zoë", [0, 3]],
  ["author:Z.Müller", [0, 3]],
  ["Müller,Zoë", [0, 3]],
  ["author:Zoë", [0, 1, 3]],
  ["author:(Zoë Müller)", [0, 1, 3]],
  ['-author:"Zoë Müller"', [1, 2]],
  ['author:"Zoë Müller" OR author:"Karel Novák"', [0, 2, 3]],
  ['title:"Zoë Müller"', []],
] as const)("%s", async (q, found) => {
  expect(await search(q)).toEqual(found);
});

it.each([
  ["Z. Müller", '"Z. Müller"'],
  ["Müller Z.", '"Müller Z."'],
  ["Müller, Z.", '"Müller, Z."'],
  ["author:Z. Müller", 'author:"Z. Müller"'],
  ["J. R. R. Tolkien", undefined],
  ["J.-P. Serre", '"J.-P. Serre"'],
  ['"zoe muller"', '"Zoe Muller"'],
  ['"muller, z."', '"Muller, Z."'],
  ["X. Müller", undefined],
  ["Peter Novák", undefined],
])("%s without quotes is found, or %s is suggested", async (q, suggestion) => {
  const { body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?q=${encodeURIComponent(q)}`);
  expect(body.query.suggestions?.[0]).toBe(suggestion);
});

it("marks the parts of the name", async () => {
  const q = encodeURIComponent('author:"Z. Müller"');
  const { body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?q=${q}&highlight=true`);
  const marked = Object.values(body.hits.hits.at(-1)!.highlight!).flat();
  expect(marked).toEqual(["<em>Zoë</em>", "<em>Müller</em>"]);
});
