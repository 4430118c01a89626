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
      if (isFree) opener?.focus({ preventScroll: true });
    },
    [frame, opener],
  );
}

/** Of an item of a menu, which closes, the button of the menu. */
function openerNow(): HTMLElement | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  if (menu) return document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return activeElement instanceof HTMLElement ? activeElement : null;
}
