import type { PageView } from "../parts/frame.js";
import { Markdown, type MarkdownDocument, sectionsOf } from "../parts/markdown.js";
import { Link } from "../parts/text.js";
import { address } from "../views/page-addresses.js";
import { WORDS } from "../words/page-en.js";

/** Parts of the help by their purpose, with the pages of the documentation that they show. */
const HELP_GROUPS = {
  searching: { search: "search-syntax", fields: "search-fields", units: "units", pages: "web" },
  depositing: { depositing: "depositing", records: "life", rights: "rights" },
  reusing: { formats: "formats", api: "http", client: "client", changes: "changes" },
  troubles: { errors: "errors", limits: "limits" },
} as const;

/** Name of a topic: the end of its address. */
export type HelpTopic = {
  [Group in keyof typeof HELP_GROUPS]: keyof (typeof HELP_GROUPS)[Group];
}[keyof typeof HELP_GROUPS];

/** Pages of the documentation by the topics that show them. */
export const HELP_DOCS: ReadonlyMap<string, string> = new Map(
  Object.values(HELP_GROUPS).flatMap((topics) => Object.entries(topics)),
);

/** Page of the documentation with which the help begins. */
export const CARD = "search-card";

/** Addresses of the pages of the documentation, relative to the root. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  [CARD, "help"],
  ["models/README", "models"],
  ...[...HELP_DOCS].map(([topic, page]) => [page, `help/${topic}`] as const),
]);

/**
 * Returns the address of a link in the documentation: `search-syntax.md#quantities` is `help/search#quantities`.
 *
 * @returns undefined if the service does not show the page, such as one for operators
 */
function helpAddress(href: string): string | undefined {
  const [path = "", anchor] = href.split("#");
  const page = path.replace(/\.md$/, "");
  const to = ADDRESSES.get(page) ?? (/^models\/\w+$/.test(page) ? page : undefined);
  return to === undefined || anchor === undefined ? to : `${to}#${anchor}`;
}

/** Second columns of tables whose first column has queries. */
const OF_QUERIES: ReadonlySet<string> = new Set(["Written", "You type", "As in"]);

/** Returns whether code in a column of the documentation is a query that readers can try. */
const hasQueries = (column: string): boolean => OF_QUERIES.has(column);

const words = WORDS.help;

/** Makes the first page of the help: the search card, and a list of all topics. */
export function helpPage(card: MarkdownDocument): PageView {
  return {
    title: words.title,
    description: words.description,
    section: "help",
    content: (
      <div class="prose">
        <h1>{card.title}</h1>
        <Documentation document={card} hasQueryLinks />
        <h2 id="topics">{words.topics}</h2>
        <div class="topics">
          {Object.entries(HELP_GROUPS).map(([group, topics]) => (
            <section key={group}>
              <h3>{words.groups[group as keyof typeof HELP_GROUPS]}</h3>
              <ul>
                {(Object.keys(topics) as HelpTopic[]).map((topic) => (
                  <li key={topic}>
                    <Link to={`help/${topic}`}>{words.pages[topic].title}</Link>
                    <p class="soft small">{words.pages[topic].content}</p>
                  </li>
                ))}
                {group === "reusing" && (
                  <li>
                    <Link to="api/docs">{words.reference}</Link>
                    <p class="soft small">{words.referenceContent}</p>
                  </li>
                )}
              </ul>
            </section>
          ))}
        </div>
      </div>
    ),
  };
}

/** Makes a page of the help with a page of the documentation. */
export function topicPage(topic: HelpTopic, document: MarkdownDocument): PageView {
  return {
    title: document.title,
    description: words.pages[topic].content,
    section: "help",
    content: (
      <div class="help">
        <nav aria-label={words.title}>
          <p>
            <Link to="help">{words.title}</Link>
          </p>
          <ul>
            {Object.values(HELP_GROUPS)
              .flatMap((topics) => Object.keys(topics) as HelpTopic[])
              .map((each) => (
                <li key={each}>
                  <Link to={`help/${each}`} current={each === topic}>
                    {words.pages[each].title}
                  </Link>
                  {each === topic && <Sections document={document} />}
                </li>
              ))}
          </ul>
        </nav>
        <article class="prose">
          <h1>{document.title}</h1>
          <Documentation document={document} hasQueryLinks={topic === "search"} />
        </article>
      </div>
    ),
  };
}

function Sections({ document }: { readonly document: MarkdownDocument }) {
  const sections = sectionsOf(document);
  if (sections.length < 2) return null;
  return (
    <ul>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

interface DocumentationProps {
  readonly document: MarkdownDocument;
  /** Whether examples of queries are links to their searches. */
  readonly hasQueryLinks: boolean;
}

function Documentation({ document, hasQueryLinks }: DocumentationProps) {
  const searchOf = (code: string, column: string) =>
    hasQueries(column) ? address("search", [["q", code]]) : undefined;
  return <Markdown document={document} linkTo={helpAddress} codeLink={hasQueryLinks ? searchOf : undefined} />;
}

/** Makes a page with a text of the operator. @param linkTo returns where a link leads, relative to the root */
export function sitePage(document: MarkdownDocument, linkTo: (href: string) => string | undefined): PageView {
  return {
    title: document.title,
    content: (
      <article class="prose">
        <h1>{document.title}</h1>
        <Markdown document={document} linkTo={linkTo} />
      </article>
    ),
  };
}
