import { useRef, useState } from 'react';

/** One submission at a time, with its failure kept for the form to show. */
export function useSubmit(firstProblem?: unknown) {
  const [problem, setProblem] = useState<unknown>(firstProblem);
  const [busy, setBusy] = useState(false);
  // State would still say "not busy" to a second call within the same event.
  const running = useRef(false);

  async function submit(work: () => Promise<unknown>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { problem, busy, submit, clear: () => setProblem(undefined) };
}
