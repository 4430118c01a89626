import { presentError } from './error-presentation.ts';

type Toast = { title?: string; message: string; danger?: true };

// Most visits see no toast, so their code and place load with the first one.
let wanted = false;
const listeners = new Set<() => void>();

export const toastHost = {
  isWanted: () => wanted,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Failure of a mutation that no form or dialog shows itself. */
export function showError(error: unknown): void {
  const { title, text, category } = presentError(error);
  if (category === 'abort' || category === 'confirmation') return;
  show({ title, message: text, danger: true });
}

/** What was done, in a word: "Case closed". */
export function showDone(message: string): void {
  show({ message });
}

function show({ title, message, danger }: Toast): void {
  wanted = true;
  for (const listener of listeners) listener();
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({ title, message, color: danger === true ? 'red' : 'accent' }),
  );
}
