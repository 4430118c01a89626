import { useCallback, useEffect, useState } from 'react';

const SHOWN_MS = 4000;

/** A sentence for readers and, for a moment, for the eye. Said twice it is heard twice. */
export function useNotice(): { notice: string | undefined; announce: (words: string) => void } {
  const [notice, setNotice] = useState<{ words: string }>();
  useEffect(() => {
    if (notice === undefined) return;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const announce = useCallback((words: string) => setNotice({ words }), []);
  return { notice: notice?.words, announce };
}
