/** What is used of idiomorph, which brings no types. */
declare module "idiomorph" {
  interface Options {
    readonly morphStyle: "innerHTML" | "outerHTML";
    /** Leaves what is being typed alone. */
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
