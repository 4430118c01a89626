import { useState } from 'react';

/** Submits a dialog's answer and keeps what came back to show. */
export function useAnswer<Answer>(submit: (answer: Answer) => Promise<Error | undefined>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const answer = async (given: Answer) => {
    setBusy(true);
    setProblem(undefined);
    const failure = await submit(given);
    setBusy(false);
    setProblem(failure);
    return failure;
  };
  return { busy, problem, answer };
}
