import { type RefObject, useEffect, useRef } from 'react';

/** When the panel beside a list has closed, the focus goes back to the row used last: the one in the tab order. */
export function useFocusBack(list: RefObject<HTMLElement | null>, panelOpened: boolean): void {
  const was = useRef(panelOpened);
  useEffect(() => {
    if (was.current && !panelOpened) {
      list.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus({ preventScroll: true });
    }
    was.current = panelOpened;
  }, [list, panelOpened]);
}
