import { asksToConfirm } from '@airdeck/api-client/api-error';
import { presentError } from './error-presentation.ts';

export type Toast = {
  title?: string;
  message: string;
  danger?: true;
  /** What can be done about it; the toast goes with it. */
  action?: { label: string; run: () => void };
};

/** Toasts on their way to the screen. They wait here until something shows them, as the shell does. */
export const toasts = createToastQueue();

/** Failure of a mutation that no form or dialog shows itself. */
export function showError(error: unknown): void {
  const shown = presentError(error);
  if (shown.category === 'abort' || asksToConfirm(shown)) return;
  toasts.add({ title: shown.title, message: shown.text, danger: true });
}

/** What was done, in a word: "Case closed". */
export function showDone(message: string): void {
  toasts.add({ message });
}

export function createToastQueue() {
  let waiting: Toast[] = [];
  let wanted = false;
  let isClosed = false;
  let sink: ((toast: Toast) => void) | undefined;
  let takeAway: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    add(toast: Toast): void {
      if (isClosed) return;
      if (sink === undefined) waiting.push(toast);
      else sink(toast);
      wanted = true;
      for (const listener of listeners) listener();
    },
    /** True from the first toast on. */
    isWanted: () => wanted,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Forgets what waits, and takes away what shows: what comes next is somebody else's, or another tenant's. */
    clear(): void {
      waiting = [];
      takeAway?.();
    },
    /** From now on nobody is there to read: what an answer brings that comes late is dropped. */
    close(): void {
      isClosed = true;
    },
    open(): void {
      isClosed = false;
    },
    /**
     * Gives what waits, and what comes later, to the sink; returns what takes the sink away. What it has shown may
     * outlive it, so `forget` is called also afterwards.
     */
    drainTo(next: (toast: Toast) => void, forget?: () => void): () => void {
      sink = next;
      takeAway = forget;
      const late = waiting;
      waiting = [];
      for (const toast of late) next(toast);
      return () => {
        sink = undefined;
      };
    },
  };
}
