import { cloneElement, type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * For a menu or popover that the first press of its button loads: it is there closed, and opens before anything is drawn.
 * Mantine gives the focus back to what had it when it opened, and not at all where it is there open. `target` is another
 * element than the one that was pressed, so it gets the focus first; it is to be shown as `button`.
 */
export function useOpenedAtOnce(target: ReactElement) {
  const ref = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState(false);
  useLayoutEffect(() => {
    ref.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  const button: ReactElement = cloneElement(target as ReactElement<{ ref: RefObject<HTMLElement | null> }>, { ref });
  return { button, opened, setOpened };
}
