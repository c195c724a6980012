import type { Warning } from "../../core/issue.js";
import type { PageView } from "../parts/frame.js";
import { Rich } from "../parts/number.js";
import { Link } from "../parts/text.js";
import { address, termPath, treePath } from "../views/page-addresses.js";
import type { TermView, VocabularyHead } from "../views/term-view.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.terms;

/** Term in a tree, with the number of records that cite it or its descendants. */
export interface TreeNode {
  readonly term: TermView;
  readonly records: number | undefined;
}

interface TermTreeView {
  readonly vocabulary: VocabularyHead;
  /** Terms from the root to the current one, whose children are shown. */
  readonly path: readonly TreeNode[];
  /** The current term among the first children of its parent, in order; empty at the root of the tree. */
  readonly siblings: readonly TreeNode[];
  readonly children: readonly TreeNode[];
  readonly total: number;
  readonly more: string | undefined;
  readonly warnings: readonly Warning[];
  /** Whether the tree is at its root. Search engines index only this page, and the pages of the terms. */
  readonly isWhole: boolean;
}

/** Makes the page of a vocabulary as a tree: the path to a term, the term among its siblings, and its children. */
export function termTreePage(view: TermTreeView): PageView {
  const { vocabulary, path, siblings, children, total, more, warnings, isWhole } = view;
  const at = path.at(-1);
  return {
    title: at === undefined ? vocabulary.title : `${at.term.title} · ${vocabulary.title}`,
    section: "vocabularies",
    data: address(`api/vocabularies/${vocabulary.name}`, at === undefined ? [] : [["parent", at.term.id]]),
    noindex: !isWhole,
    script: "search",
    content: (
      <live-search class="flow">
        <h1>{vocabulary.title}</h1>
        <p>
          <Link to={`vocabularies/${vocabulary.name}`}>{WORDS.search.list}</Link> · {WORDS.search.tree}
        </p>
        {warnings.map(({ message }) => (
          <p class="warning" key={message}>
            {message}
          </p>
        ))}
        <p class="soft small">{words.countsBelow}</p>
        <term-tree data-label={vocabulary.title}>
          <ul class="tree">
            <Branch vocabulary={vocabulary.name} path={path} siblings={siblings} children_={children} />
          </ul>
        </term-tree>
        <p class="soft">
          {WORDS.search.terms(total)} {more !== undefined && <Link to={more}>{WORDS.search.next}</Link>}
        </p>
      </live-search>
    ),
  };
}

interface BranchProps {
  readonly vocabulary: string;
  readonly path: readonly TreeNode[];
  readonly siblings: readonly TreeNode[];
  readonly children_: readonly TreeNode[];
}

function Branch({ vocabulary, path, siblings, children_ }: BranchProps) {
  const [node, ...rest] = path;
  if (node === undefined) return <Leaves vocabulary={vocabulary} nodes={children_} />;
  if (rest.length > 0) {
    return (
      <li id={`at-${node.term.id}`}>
        <Node vocabulary={vocabulary} node={node} state="open" />
        <ul>
          <Branch vocabulary={vocabulary} path={rest} siblings={siblings} children_={children_} />
        </ul>
      </li>
    );
  }
  const at = siblings.findIndex(({ term }) => term.id === node.term.id);
  return (
    <>
      <Leaves vocabulary={vocabulary} nodes={siblings.slice(0, at)} />
      <li id={`at-${node.term.id}`}>
        <Node vocabulary={vocabulary} node={node} state="current" />
        {children_.length > 0 && (
          <ul>
            <Leaves vocabulary={vocabulary} nodes={children_} />
          </ul>
        )}
      </li>
      <Leaves vocabulary={vocabulary} nodes={siblings.slice(at + 1)} />
    </>
  );
}

/** Terms whose children are not shown. */
function Leaves({ vocabulary, nodes }: { readonly vocabulary: string; readonly nodes: readonly TreeNode[] }) {
  return (
    <>
      {nodes.map((each) => (
        <li key={each.term.id} id={`at-${each.term.id}`}>
          <Node vocabulary={vocabulary} node={each} state="closed" />
        </li>
      ))}
    </>
  );
}

interface NodeProps {
  readonly vocabulary: string;
  readonly node: TreeNode;
  /** Whether the children are shown; `current` for the term that the page is about. */
  readonly state: "closed" | "open" | "current";
}

/** A term: a triangle that opens it in the tree, and a link with its name and id to its page. */
function Node({ vocabulary, node: { term, records }, state }: NodeProps) {
  return (
    <>
      <Link
        to={treePath(vocabulary, term.id)}
        class="unfold"
        current={state === "current"}
        label={words.open(term.title)}
        nofollow
      >
        {state === "closed" ? "▸" : "▾"}
      </Link>{" "}
      <Link to={termPath(vocabulary, term.id)} class="node">
        <Rich text={term.name} /> <code class="id">{term.id}</code>
      </Link>{" "}
      <span class="soft">
        <Rich text={term.props[0]?.text ?? []} />
      </span>
      {records !== undefined && records > 0 && <span class="count"> {WORDS.search.records(records)}</span>}
    </>
  );
}
