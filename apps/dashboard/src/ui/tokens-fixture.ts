import css from './tokens.css?raw';

export const schemes = ['light', 'dark'] as const;

/** The colours of a theme by the names of their tokens. */
export function tokensOf(scheme: (typeof schemes)[number]): Record<string, string> {
  const block = css.split(`[data-mantine-color-scheme="${scheme}"] {`)[1]?.split('}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--air-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]),
  );
}

export type Linear = readonly [red: number, green: number, blue: number];

/** Light of a colour, of each part between 0 and 1, as sRGB defines it. */
export function linearOf(color: string): Linear {
  const channel = (at: number) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}
