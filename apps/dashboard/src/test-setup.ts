import { afterEach, vi } from 'vitest';

// Files of tests share a process, which is much faster than to begin one for each. What a module remembers, as the language of
// the page, is not to reach the next file.
vi.resetModules();

// Tests of pure code run without a document.
if (typeof window !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react');
  // A busy machine may take its time to draw; what never comes fails all the same.
  configure({ asyncUtilTimeout: 20_000 });
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
const usualStyles: Readonly<Record<string, string>> = { position: 'static', direction: 'ltr' };
/** What finds elements by what people see of them needs more than the element says. */
const workedOut: ReadonlySet<PropertyKey> = new Set(['visibility', 'getPropertyValue']);
const neverShown: ReadonlySet<string> = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE']);

/**
 * jsdom goes through every rule of every sheet for one answer, and what is placed on the page asks for the styles of all
 * that is around it each time: half of the time of these tests went there. There is no layout here, so that is answered from
 * the element alone; the rest is jsdom's.
 */
function answerForStyles(): void {
  // Files share a window, and each runs this once more.
  if (window.getComputedStyle.name === 'stylesOfElement') return;
  const computed = window.getComputedStyle.bind(window);
  window.getComputedStyle = function stylesOfElement(element, pseudo) {
    if (pseudo || !(element instanceof HTMLElement)) return computed(element, pseudo);
    const own = element.hasAttribute('style') ? element.style : undefined;
    return new Proxy({} as CSSStyleDeclaration, {
      get(_target, name) {
        if (name === 'display') return own?.display || displayOf(element);
        if (!workedOut.has(name)) return own?.[name as 'position'] || (usualStyles[String(name)] ?? '');
        const all = computed(element);
        const answer: unknown = Reflect.get(all, name);
        return typeof answer === 'function' ? answer.bind(all) : answer;
      },
    });
  };
}

function displayOf(element: HTMLElement): string {
  return element.hasAttribute('hidden') || neverShown.has(element.tagName) ? 'none' : 'block';
}
