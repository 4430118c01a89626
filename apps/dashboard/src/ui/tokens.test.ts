import { describe, expect, test } from 'vitest';
import { linearOf, schemes, tokensOf } from './tokens-fixture.ts';

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(color: string): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const words = [
  'text',
  'text-2',
  'text-3',
  'link',
  'critical',
  'high',
  'medium',
  'low',
  'info',
  'success',
  'active',
  'attention',
  'idle',
];
const surfaces = ['page', 'panel', 'raised', 'hover'];
const marks = [
  ...['control-border', 'focus', 'accent', 'chart-low', 'chart-medium', 'chart-high'],
  ...['chart-good', 'chart-doing', 'chart-bad'],
  ...Array.from({ length: 8 }, (_, index) => `chart-${index + 1}`),
];

describe.each(schemes)('%s theme', (scheme) => {
  const tokens = tokensOf(scheme);
  const of = (name: string) => tokens[name] ?? `missing ${name}`;

  test('text and meaning read at 4.5:1 on every surface', () => {
    const weak = words.flatMap((word) =>
      surfaces.filter((surface) => !(contrast(of(word), of(surface)) >= 4.5)).map((surface) => `${word} on ${surface}`),
    );
    expect(weak).toEqual([]);
  });

  test('white on the button that destroys reads at 4.5:1', () => {
    expect(contrast('#ffffff', of('danger'))).toBeGreaterThanOrEqual(4.5);
  });

  test('controls, focus and chart colours stand out at 3:1', () => {
    const weak = marks.flatMap((mark) =>
      ['page', 'panel']
        .filter((surface) => !(contrast(of(mark), of(surface)) >= 3))
        .map((surface) => `${mark} on ${surface}`),
    );
    expect(weak).toEqual([]);
  });
});

test('both themes define the same tokens', () => {
  expect(Object.keys(tokensOf('dark')).sort()).toEqual(Object.keys(tokensOf('light')).sort());
});
