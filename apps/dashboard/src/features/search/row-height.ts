import { useSyncExternalStore } from 'react';

/** In `rem`, as the styles have them: rows grow with the size of text set in the browser. */
const HEIGHTS = { comfortable: 2.25, compact: 1.875, phone: 4.75 } as const;
/** What a browser sets when nobody chose another size. */
const USUAL_TEXT_PX = 16;

/** Pixels of a row at the density chosen beside the theme; what is not drawn cannot be measured. */
export function useRowHeight(isPhone: boolean): number {
  const density = useSyncExternalStore(subscribe, readDensity);
  return Math.round(HEIGHTS[isPhone ? 'phone' : density] * textPx());
}

function textPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_TEXT_PX;
}

function readDensity(): 'compact' | 'comfortable' {
  return document.documentElement.getAttribute('data-density') === 'compact' ? 'compact' : 'comfortable';
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}
