import { type RefObject, useEffect, useMemo } from 'react';

/**
 * Gives the focus back to what was pressed. Mantine does so only where a frame is there closed first and closed last; ours
 * load open, or are gone at once. Whoever has taken the focus meanwhile keeps it.
 */
export function useFocusBackToOpener(frame: RefObject<HTMLElement | null>, opened = true): void {
  // Looked at while rendering: a menu is gone from the document before any effect.
  const openers = useMemo(() => (opened ? openersNow() : []), [opened]);
  useEffect(
    () => () => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || frame.current?.contains(activeElement);
      const opener = openers.find(({ isConnected }) => isConnected);
      if (isFree && opener !== undefined) focusOnceEnabled(opener);
    },
    [frame, openers],
  );
}

function openersNow(): HTMLElement[] {
  const { activeElement } = document;
  // A button is locked while its work goes on, and a browser takes the focus from what is locked.
  return activeElement === document.body ? lastFocused.filter(isLocked) : openersOf(activeElement);
}

/** The element itself, then of each menu and popover around it the button: they may be closed by then. */
function openersOf(element: EventTarget | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return [];
  const frame = element.closest('[role="menu"], [role="dialog"]:not([aria-modal])');
  const button = document.getElementById(frame?.getAttribute('aria-labelledby') ?? '');
  return [element, ...(frame?.contains(button) ? [] : openersOf(button))];
}

/** What is locked takes no focus: it gets it when its work is over, unless somebody is elsewhere by then. */
function focusOnceEnabled(opener: HTMLElement): void {
  opener.focus({ preventScroll: true });
  if (!isLocked(opener)) return;
  lastFocused = [opener];
  locked = opener;
}

function isLocked(element: HTMLElement): boolean {
  return element.isConnected && element.matches(':disabled');
}

/** What had the focus last, and the buttons it was opened by. */
let lastFocused: readonly HTMLElement[] = [];
/** Of those, what was locked since: most controls are while what they changed is saved. */
let locked: HTMLElement | undefined;

/** The focus that locking took goes back once the lock is off. */
function onLock(): void {
  const control = lastFocused.find(isLocked) ?? locked;
  locked = control;
  if (control === undefined || isLocked(control)) return;
  locked = undefined;
  const { activeElement } = document;
  // A menu stays for a moment while it closes.
  const isClosing = control.getAttribute('aria-expanded') === 'false' && openersOf(activeElement)[1] === control;
  if (activeElement === document.body || isClosing) control.focus({ preventScroll: true });
}

// Logic that is tested without a page comes by here too.
if (globalThis.document !== undefined) {
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = openersOf(target);
  });
  new MutationObserver(onLock).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}
