import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useIsPhone } from './use-is-phone.ts';

afterEach(() => vi.restoreAllMocks());

/** A window of that width, as far as the widest one a rule is for says. */
function widthOf(px: number): void {
  const wide = window.matchMedia('(min-width: 0)');
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...wide,
    media,
    matches: px <= Number(/max-width: ([\d.]+)px/.exec(media)?.[1]),
  }));
}

test.each([
  [390, true],
  [767, true],
  [768, false],
  [1280, false],
])('a page %i px wide is narrow: %s, from its first render on', (px, narrow) => {
  widthOf(px);
  const seen: boolean[] = [];
  renderHook(() => seen.push(useIsPhone()));
  expect(new Set(seen)).toEqual(new Set([narrow]));
});
