import { afterEach } from 'vitest';

// Tests of pure code run without a document, which is much faster to start.
if (typeof window !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  afterEach(cleanup);
  answerForLayout();
}

/** jsdom has no layout: what Mantine asks of the browser gets quiet answers. */
function answerForLayout(): void {
  window.matchMedia ??= (query) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  });
  window.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
  // Text areas measure themselves again once fonts are there.
  if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView ??= () => undefined;
}
