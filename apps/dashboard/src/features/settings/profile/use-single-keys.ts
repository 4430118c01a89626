import { useState } from 'react';
import type { BrowserStorage } from '../../../lib/browser-storage.ts';
import { singleKeysOn } from '../../../lib/single-keys.ts';

/** Kept per browser; what listens to keys reads the attribute on the root element. */
export function useSingleKeys(storage: Pick<BrowserStorage, 'setItem'>): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(singleKeysOn);
  return [
    on,
    (next) => {
      const kept = next ? 'on' : 'off';
      storage.setItem('airdeck.single-keys', kept);
      document.documentElement.dataset.singleKeys = kept;
      setOn(next);
    },
  ];
}
