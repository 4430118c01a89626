import { afterEach, vi } from 'vitest';

// Files of tests share a process, which is much faster than to begin one for each. What a module remembers, as the language of
// the page, is not to reach the next file.
vi.resetModules();

// Tests of pure code run without a document.
if (typeof window !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  const { notifications } = await import('@mantine/notifications');
  afterEach(() => {
    cleanup();
    // Packages are loaded once for all files: toasts left over here would make those of the next file wait.
    notifications.clean();
    notifications.cleanQueue();
  });
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
