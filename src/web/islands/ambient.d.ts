/** Types of idiomorph, which has none, as far as it is used. */
declare module "idiomorph" {
  interface Options {
    readonly morphStyle: "innerHTML" | "outerHTML";
    /** Whether to keep the value of the focused field. */
    readonly ignoreActiveValue: boolean;
    readonly callbacks?: {
      readonly beforeNodeRemoved?: (node: Node) => boolean;
      readonly beforeNodeMorphed?: (before: Node, after: Node) => boolean;
      readonly beforeAttributeUpdated?: (name: string, element: Element, change: "update" | "remove") => boolean;
    };
  }
  export const Idiomorph: {
    morph(element: Element, content: Element, options: Options): void;
  };
}

/** Trusted Types, which the DOM library lacks. */
interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ): { createHTML(html: string): string };
}

declare const trustedTypes: TrustedTypePolicyFactory | undefined;
