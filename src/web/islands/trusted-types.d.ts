/** Trusted Types, which the DOM library does not know yet. */
interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ): { createHTML(html: string): string };
}

declare const trustedTypes: TrustedTypePolicyFactory | undefined;
