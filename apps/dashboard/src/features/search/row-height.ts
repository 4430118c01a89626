import { useSyncExternalStore } from 'react';

const HEIGHTS = { comfortable: 36, compact: 30 } as const;

/** Pixels of a row at the density chosen beside the theme; what is not drawn cannot be measured. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, read);
}

function read(): number {
  return document.documentElement.getAttribute('data-density') === 'compact' ? HEIGHTS.compact : HEIGHTS.comfortable;
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}
