import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { Markdown, parseMarkdown, sectionsOf } from "./markdown.js";

const PLACE = { root: "../", version: "", claim: "", site: "", face: { title: "", pages: [] } };
const render = (text: string): string => {
  const links = {
    linkTo: (href: string) => (href.endsWith(".md") ? href.slice(0, -3) : undefined),
    codeLink: (code: string, column: string) => (column === "Written" ? `search?q=${code}` : undefined),
  };
  return renderToString(h(Markdown, { document: parseMarkdown(text), ...links }), PLACE);
};

describe("a Markdown text", () => {
  it.each([
    [
      "words *in italics*, **bold** and `code *as it is*`",
      "words <em>in italics</em>, <strong>bold</strong> and <code>code *as it is*</code>",
    ],
    ["snake_case_names, _words_ and 2 * 3 * 4", "snake_case_names, <em>words</em> and 2 * 3 * 4"],
    ["``a ` b`` and \\*no italics\\*", "<code>a ` b</code> and *no italics*"],
    ["K<sub>D</sub> &lt; 10&nbsp;nM", "K<sub>D</sub> &lt; 10\u00a0nM"],
    ["one  \ntwo", "one<br/>two"],
    ["[a `b`](page.md) and [c](other.html)", '<a href="../page">a <code>b</code></a> and c'],
    [
      "[x](#here), <https://example.org/a_b>, <mailto:a@b.org>",
      '<a href="#here">x</a>, <a class="out" href="https://example.org/a_b" rel="external">' +
        'https://example.org/a_b</a>, <a href="mailto:a@b.org">a@b.org</a>',
    ],
  ])("has markup within lines: %s", (text, html) => {
    expect(render(text)).toBe(`<p>${html}</p>`);
  });

  it("shows as text what is nested deeper than anybody writes", () => {
    for (const marker of ["> ", "1. "]) expect(render(`${marker.repeat(5_000)}deep`)).toContain("deep");
  });

  it("keeps further headings of the first level, below the title of the page", () => {
    expect(render("# Imprint\n\n# Address\n")).toBe('<h2 id="address">Address</h2>');
  });

  it("has headings with the anchors of Git hosts, and its first one is its title", () => {
    const document = parseMarkdown("# The *title*\n\n## AND, OR, `NOT`\ntext\n## Again\n### Deep\n## Again\n");
    expect(document.title).toBe("The title");
    expect(sectionsOf(document)).toEqual([
      { id: "and-or-not", title: "AND, OR, NOT" },
      { id: "again", title: "Again" },
      { id: "again-1", title: "Again" },
    ]);
    expect(render("# Title\n## One\ntext\n")).toBe('<h2 id="one">One</h2><p>text</p>');
  });

  it("has an id for each heading that nothing else on the page has", () => {
    const text =
      "# T\n## Content\n## Q\n## ???\n## Again\n## Again\n## Again-1\n> ## Filters\n> ## Again\n\n- ## In a list\n";
    const ids = [...render(text).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([
      "content-1",
      "q-1",
      "section",
      "again",
      "again-1",
      "again-1-1",
      "filters-1",
      "again-2",
      "in-a-list",
    ]);
  });

  it("has a button at each block of code, whose name says what it copies", () => {
    const names = [
      ...render("```\nfirst line\nmore\n```\n\n> ~~~\n> second\n> ~~~\n").matchAll(/data-what="([^"]*)"/g),
    ];
    expect(names.map(([, name]) => name)).toEqual(["example 1: first line", "example 2: second"]);
  });

  it("has lists in lists, with paragraphs and code in them", () => {
    expect(render("- one\n  goes on\n  - inner\n- two\n\n  ```sh\n  a < b\n  ```\n\nafter")).toBe(
      "<ul><li>one\ngoes on<ul><li>inner</li></ul></li>" +
        '<li><p>two</p><div class="lines"><pre tabindex="0"><code>a &lt; b</code></pre>' +
        '<copy-text data-text="a &lt; b" data-what="example 1: a &lt; b"></copy-text></div></li></ul><p>after</p>',
    );
    expect(render("text\n1. one\n2. two\n\n> said\n\n---")).toBe(
      "<p>text</p><ol><li>one</li><li>two</li></ol><blockquote><p>said</p></blockquote><hr/>",
    );
  });

  it("has tables, whose code is a link where it is a query", () => {
    const table = "| Written | | Read as |\n|---|:-:|---|\n| `a \\|\\| b` | x | `c` |\n| `d` |\n";
    expect(render(table)).toBe(
      '<div class="scroll" role="group" aria-label="Written, Read as" tabindex="0"><table><thead>' +
        '<tr><th scope="col">Written</th><td></td><th scope="col">Read as</th></tr></thead><tbody>' +
        '<tr><td><a href="../search?q=a || b" rel="nofollow"><code>a || b</code></a></td><td>x</td>' +
        '<td><code>c</code></td></tr><tr><td><a href="../search?q=d" rel="nofollow"><code>d</code></a></td>' +
        "<td></td><td></td></tr></tbody></table></div>",
    );
  });

  it.each([
    ["<script>alert(1)</script>", "<p>&lt;script>alert(1)&lt;/script></p>"],
    ['<img src=x onerror="alert(1)">', "<p>&lt;img src=x onerror=&quot;alert(1)&quot;></p>"],
    ["<sub onclick=x>a</sub>", "<p>&lt;sub onclick=x>a&lt;/sub></p>"],
    ["[x](javascript:alert(1))", "<p>x</p>"],
    ["[x](JAVASCRIPT:alert(1)) <javascript:alert(1)>", "<p>x javascript:alert(1)</p>"],
    [
      "[x](data:text/html,a) ![y](https://example.org/y.png)",
      '<p>x <a class="out" href="https://example.org/y.png" rel="external">y</a></p>',
    ],
  ])("brings no scripts, and loads nothing: %s", (text, html) => {
    expect(render(text)).toBe(html);
  });

  it("is read quickly, whatever it contains", () => {
    const texts = ["*a ", "[a", "`a ", "<sub>", "| a ", "- ", "_a_b", "**a"].map((part) =>
      part.repeat(5_000 / part.length),
    );
    const before = performance.now();
    for (const text of texts) render(text);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
