import { describe, expect, it } from "vitest";
import type { TermHit } from "../../services/api/searches.js";
import { makeAnswerMemory } from "./answer-memory.js";
import { withLinks } from "./answer-text.js";
import { joinPieces, makeHitPieces } from "./search-answers.js";

const hit = (id: string, more: Partial<TermHit> = {}): TermHit => ({
  vocabulary: "organisms",
  id,
  revision: 1,
  citedBy: 0,
  json: `{"id":"${id}"}`,
  ...more,
});

function makePieces() {
  let count = 0;
  const piecesOf = makeHitPieces<TermHit>((api, { id, json }) => {
    count += 1;
    return withLinks(json, { self: `${api}/${id}` });
  });
  const textOf = (api: string, hits: readonly TermHit[]): string =>
    Buffer.from(joinPieces("", piecesOf(api, hits), "", makeAnswerMemory())).toString();
  return { textOf, linked: () => count };
}

describe("pieces of hits", () => {
  it("are made once for each hit that is shown again, and anew for another address", () => {
    const { textOf, linked } = makePieces();
    const hits = [hit("a"), hit("b"), hit("μ–𝛼")];
    const text = (api: string): string =>
      `${hits.map(({ id }) => `{"id":"${id}","links":{"self":"${api}/${id}"}}`).join(",")}`;
    expect([textOf("x", hits), textOf("x", hits.slice(0, 2)), linked()]).toEqual([
      text("x"),
      text("x").slice(0, text("x").indexOf(',{"id":"μ')),
      3,
    ]);
    expect([textOf("y", hits), linked()]).toEqual([text("y"), 6]);
  });

  it("say what a search says of them", () => {
    const { textOf } = makePieces();
    const known = hit("a");
    const plain = textOf("x", [known]);
    const marked = hit("a", { matched: { field: "title", text: "a" }, highlight: { title: ["<em>a</em>"] } });
    expect(textOf("x", [marked])).toBe(
      '{"id":"a","links":{"self":"x/a"},"highlight":{"title":["<em>a</em>"]},"matched":{"field":"title","text":"a"}}',
    );
    expect(textOf("x", [known])).toBe(plain);
  });

  it("are none without hits", () => {
    expect(makePieces().textOf("x", [])).toBe("");
  });
});

describe("the body of an answer", () => {
  it("takes texts and bytes", () => {
    const bytes = joinPieces("“[", [Buffer.from("1"), "“2”\ud800", Buffer.from("3")], "]”", makeAnswerMemory());
    expect(Buffer.from(bytes).toString()).toBe("“[1,“2”\ufffd,3]”");
  });
});
