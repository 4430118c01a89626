/** What the content security policy of this page wants to see on style elements; empty where a server sends none. */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
