import type { Warning } from "../../core/issue.js";
import type { PageView } from "../parts/frame.js";
import { RichLine } from "../parts/number.js";
import { Link } from "../parts/text.js";
import { address, termPath, treePath } from "../views/page-addresses.js";
import type { TermView, VocabularyHead } from "../views/term-view.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.terms;

/** Term in a tree, with the number of records that cite it or its descendants. */
export interface TreeNode {
  readonly term: TermView;
  readonly records: number | undefined;
  readonly hasChildren: boolean;
  /** Undefined if its children are not shown. */
  readonly children: readonly TreeNode[] | undefined;
  /** Address of further children. */
  readonly more: string | undefined;
}

interface TermTreeView {
  readonly vocabulary: VocabularyHead;
  readonly roots: readonly TreeNode[];
  /** The term whose children are shown. Undefined at the root of the tree. */
  readonly current: TermView | undefined;
  /** Number of its children, or of the roots. */
  readonly total: number;
  /** Address of further children or roots. */
  readonly more: string | undefined;
  readonly warnings: readonly Warning[];
  /** The text that was searched in the tree, and the terms with this name if they are not one. */
  readonly q: string;
  readonly found: readonly TermView[] | undefined;
  /** Whether the tree is at its root. Search engines index only this page, and the pages of the terms. */
  readonly isWhole: boolean;
}

/** Makes the page of a vocabulary as a tree. The field in its head finds a term in the tree. */
export function termTreePage(view: TermTreeView): PageView {
  const { vocabulary, roots, current, total, more, warnings, q, found, isWhole } = view;
  const { name, title } = vocabulary;
  return {
    title: current === undefined ? title : `${current.title} · ${title}`,
    section: "vocabularies",
    search: {
      to: `vocabularies/${name}`,
      label: words.findInTree(title),
      placeholder: WORDS.search.placeholderTerms,
      q,
      carried: [["view", "tree"]],
      scope: [["vocabulary", name]],
    },
    data: address(`api/vocabularies/${name}`, current === undefined ? [] : [["parent", current.id]]),
    noindex: !isWhole,
    script: "search",
    parameters: ["view", "q", "at", "cursor"],
    warnings,
    content: (
      <live-search class="flow">
        <h1>{title}</h1>
        <p>
          <Link to={`vocabularies/${name}`}>{WORDS.search.list}</Link> · {WORDS.search.tree}
        </p>
        {found !== undefined && <Found terms={found} vocabulary={name} />}
        <p class="soft small">{words.countsBelow}</p>
        <term-tree data-label={title}>
          <ul class="tree">
            <Nodes vocabulary={name} nodes={roots} current={current?.id} />
          </ul>
        </term-tree>
        {more !== undefined && (
          <p class="soft">
            {WORDS.search.terms(total)} <Link to={more}>{WORDS.search.next}</Link>
          </p>
        )}
      </live-search>
    ),
  };
}

/** Terms with the name that was searched. Each link leads to the term in the tree. */
function Found({ terms, vocabulary }: { readonly terms: readonly TermView[]; readonly vocabulary: string }) {
  if (terms.length === 0) return <p class="empty">{WORDS.search.nothing}</p>;
  return (
    <ul class="terms">
      {terms.map(({ id, name, props, parentTitle }) => (
        <li key={id}>
          <Link to={treePath(vocabulary, id)}>
            <RichLine text={name} /> <code class="id">{id}</code>
          </Link>{" "}
          <span class="soft">
            <RichLine text={props[0]?.text ?? []} />
            {parentTitle !== undefined && ` · ${parentTitle}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface NodesProps {
  readonly vocabulary: string;
  readonly nodes: readonly TreeNode[];
  readonly current: string | undefined;
}

function Nodes({ vocabulary, nodes, current }: NodesProps) {
  return (
    <>
      {nodes.map((node) => (
        <li key={node.term.id} id={`at-${node.term.id}`}>
          <Node vocabulary={vocabulary} node={node} isCurrent={node.term.id === current} />
          {node.children !== undefined && node.children.length > 0 && (
            <ul>
              <Nodes vocabulary={vocabulary} nodes={node.children} current={current} />
              {node.more !== undefined && (
                <li>
                  <span class="unfold" />{" "}
                  <Link to={node.more} class="node">
                    {words.moreBelow}
                  </Link>
                </li>
              )}
            </ul>
          )}
        </li>
      ))}
    </>
  );
}

interface NodeProps {
  readonly vocabulary: string;
  readonly node: TreeNode;
  readonly isCurrent: boolean;
}

/** A term: a triangle that opens it in the tree, if it has children, and a link with its name and id to its page. */
function Node({ vocabulary, node: { term, records, hasChildren, children }, isCurrent }: NodeProps) {
  return (
    <>
      {hasChildren || isCurrent ? (
        <Link
          to={treePath(vocabulary, term.id)}
          class="unfold"
          current={isCurrent}
          label={words.open(term.title)}
          nofollow
        >
          {hasChildren ? (children === undefined ? "▸" : "▾") : "·"}
        </Link>
      ) : (
        <span class="unfold" />
      )}{" "}
      <Link to={termPath(vocabulary, term.id)} class="node">
        <RichLine text={term.name} /> <code class="id">{term.id}</code>
      </Link>{" "}
      <span class="soft">
        <RichLine text={term.props[0]?.text ?? []} />
      </span>
      {records !== undefined && records > 0 && <span class="count"> {WORDS.search.records(records)}</span>}
    </>
  );
}
