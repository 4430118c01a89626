import { type RefObject, useEffect } from 'react';
import { singleKeysOn } from '../../lib/single-keys.ts';

/** `o` opens the row that has the focus beside the list, as a click on it does. */
export function useOpenKey(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'o' || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const row = document.activeElement;
      if (!(row instanceof HTMLElement) || !row.matches('[data-row]') || list.current?.contains(row) !== true) return;
      event.preventDefault();
      row.click();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list]);
}
