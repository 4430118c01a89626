import { afterEach, vi } from 'vitest';

// Files of tests share a process, which is much faster than to begin one for each. What a module remembers, as the language of
// the page, is not to reach the next file.
vi.resetModules();

// Tests of pure code run without a document.
if (typeof window !== 'undefined') {
  const { cleanup, configure, getConfig } = await import('@testing-library/react');
  const { getElementError } = getConfig();
  configure({
    // A busy machine may take its time to draw; what never comes fails all the same.
    asyncUtilTimeout: 20_000,
    // While it is waited for an element, each look that does not find it would write down the whole page; the last one does.
    getElementError: (message, container) =>
      isWaiting(getConfig())
        ? Object.assign(new Error(message ?? undefined), { name: 'TestingLibraryElementError' })
        : getElementError(message, container),
  });
  const { notifications } = await import('@mantine/notifications');
  afterEach(() => {
    cleanup();
    // Packages are loaded once for all files: toasts left over here would make those of the next file wait.
    notifications.clean();
    notifications.cleanQueue();
  });
  answerForLayout();
  answerForStyles();
}

/** Whether the library is within `waitFor` or `findBy…`: it says so to itself only. */
function isWaiting(config: object): boolean {
  return '_disableExpensiveErrorDiagnostics' in config && config._disableExpensiveErrorDiagnostics === true;
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

/** Of elements that say nothing themselves, where empty would not do. */
const usualStyles: Readonly<Record<string, string>> = { position: 'static', direction: 'ltr', content: 'none' };
type Styled = HTMLElement | SVGElement;
const neverShown: ReadonlySet<string> = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE']);

/**
 * jsdom goes through every rule of every sheet for one answer. What is placed on the page asks for the styles of all that is
 * around it each time, and what finds elements by their names asks for those of all that is in them: half of the time of these
 * tests went there. There is no layout here and no sheet that says anything, so elements answer for themselves.
 */
function answerForStyles(): void {
  // Files share a window, and each runs this once more.
  if (window.getComputedStyle.name === 'stylesOfElement') return;
  const computed = window.getComputedStyle.bind(window);
  window.getComputedStyle = function stylesOfElement(element, pseudo) {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return computed(element, pseudo);
    const styleOf = (name: string) => (pseudo ? usualStyles[name] : styleOfElement(element, name)) ?? '';
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_target, name) => (name === 'getPropertyValue' ? styleOf : styleOf(String(name))),
    });
  };
}

/** `name` as CSS or as script writes it. */
function styleOfElement(element: Styled, name: string): string | undefined {
  if (name === 'visibility') return visibilityOf(element);
  const own = element.hasAttribute('style') ? element.style : undefined;
  if (name === 'display') return own?.display || displayOf(element);
  return own?.getPropertyValue(name) || own?.[name as 'position'] || usualStyles[name];
}

/** Of the nearest that says something: it is inherited. */
function visibilityOf(element: Element): string {
  return element.closest<HTMLElement>('[style*=visibility]')?.style.visibility || 'visible';
}

function displayOf(element: Styled): string {
  return element.hasAttribute('hidden') || neverShown.has(element.tagName) ? 'none' : 'block';
}
