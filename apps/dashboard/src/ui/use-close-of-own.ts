import { type RefObject, useLayoutEffect, useRef } from 'react';

const MODAL = '[aria-modal="true"]';
/** Popovers are dialogs too, though not modal: what opens over something else takes the focus. */
const FRAME = '[role="dialog"], [role="menu"]';

/**
 * Props of a dialog or drawer that one Esc closes only when nothing stands over it. The key reaches everything that is
 * open, in either order, and is meant for the uppermost. A layout effect, so that this listens before the dialogs do.
 */
export function useCloseOfOwn(onClose: () => void): { ref: RefObject<HTMLDivElement | null>; onClose: () => void } {
  const ref = useRef<HTMLDivElement>(null);
  const isForAnother = useRef(false);
  useLayoutEffect(() => {
    const note = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      const own = ref.current?.querySelector(MODAL);
      const uppermost = [...document.querySelectorAll(MODAL)].at(-1);
      const focused = target instanceof Element ? target.closest(FRAME) : null;
      isForAnother.current = uppermost !== own || (focused !== null && focused !== own);
      setTimeout(() => {
        isForAnother.current = false;
      });
    };
    window.addEventListener('keydown', note, true);
    return () => window.removeEventListener('keydown', note, true);
  }, []);
  return {
    ref,
    onClose: () => {
      if (!isForAnother.current) onClose();
    },
  };
}
