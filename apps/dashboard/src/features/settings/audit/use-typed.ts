import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_PAUSE_MS = 250;

/** Text of a filter that the address holds: told after a pause in typing. */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState({ text: value, from: value });
  // Adopt what the address says when another hand changed it.
  if (typed.from !== value) setTyped({ text: typed.text.trim() === value ? typed.text : value, from: value });
  const send = useDebouncedCallback((text: string) => onChange(text.trim()), TYPING_PAUSE_MS);
  return {
    text: typed.text,
    type(text: string) {
      setTyped({ text, from: value });
      send(text);
    },
  };
}
