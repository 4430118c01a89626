import { type RefObject, useEffect, useMemo } from 'react';

/**
 * Gives the focus back to what was pressed. Mantine does so only where a frame is there closed first and closed last; ours
 * load open, or are gone at once. Whoever has taken the focus meanwhile keeps it.
 */
export function useFocusBackToOpener(frame: RefObject<HTMLElement | null>, opened = true): void {
  // Looked at while rendering: a menu is gone from the document before any effect.
  const opener = useMemo(() => (opened ? openerNow() : null), [opened]);
  useEffect(
    () => () => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || frame.current?.contains(activeElement);
      if (isFree && opener !== null) focusOnceEnabled(opener);
    },
    [frame, opener],
  );
}

/** Of an item of a menu, which closes, the button of the menu. */
function openerNow(): HTMLElement | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  if (menu) return document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  // A button is locked while its work goes on, and a browser takes the focus from what is locked.
  if (activeElement === document.body && lastFocused?.matches(':disabled')) return lastFocused;
  return activeElement instanceof HTMLElement ? activeElement : null;
}

let lastFocused: HTMLElement | null = null;
// Logic that is tested without a page comes by here too.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof HTMLElement ? target : null;
});

/** What is locked takes no focus: it gets it when its work is over, unless somebody is elsewhere by then. */
function focusOnceEnabled(opener: HTMLElement): void {
  opener.focus({ preventScroll: true });
  if (!opener.matches(':disabled')) return;
  const watch = new MutationObserver(() => {
    if (opener.matches(':disabled')) return;
    watch.disconnect();
    if (document.activeElement === document.body) opener.focus({ preventScroll: true });
  });
  watch.observe(opener, { attributeFilter: ['disabled'] });
}
