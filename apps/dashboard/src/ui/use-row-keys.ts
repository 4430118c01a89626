import { type RefObject, useEffect } from 'react';
import { singleKeysOn } from '../lib/single-keys.ts';

/** `j` and `k` move the focus between the rows of a list, from anywhere on the screen but a field, menu or dialog, or behind one. */
export function useRowKeys(body: RefObject<HTMLElement | null>, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target) || !singleKeysOn())
        return;
      const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
      const next = at === -1 ? rows.find((row) => row.tabIndex === 0) : rows[at + step];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [body, enabled]);
}

function isTaken(target: EventTarget | null): boolean {
  const taken = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';
  // Where the focus is nowhere, what stands over the list keeps it from being moved unseen.
  if (target === document.body) return document.querySelector('[aria-modal="true"]') !== null;
  return target instanceof Element && target.closest(taken) !== null;
}
