import { useRef } from 'react';

/**
 * The key of what somebody wants to save: the same as long as that is the same, so that trying again after a lost answer
 * makes no second one.
 */
export function useIntentKey(): (body: unknown) => string {
  const last = useRef<{ text: string; key: string }>(undefined);
  return (body) => {
    const text = JSON.stringify(body) ?? '';
    if (last.current?.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
