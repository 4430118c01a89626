import { useState } from 'react';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const KEY = 'airdeck.density';

type Storage = { getItem(key: string): string | null; setItem(key: string, value: string): void };

/** Row height of lists, kept per browser. The attribute on the root element is what the styles read. */
export function useDensity(storage: Storage): [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(() =>
    storage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable',
  );
  return [
    density,
    (next) => {
      storage.setItem(KEY, next);
      document.documentElement.setAttribute('data-density', next);
      setDensity(next);
    },
  ];
}
