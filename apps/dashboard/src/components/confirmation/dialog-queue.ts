/**
 * Dialogs that stand between an action and its effect: the question of a 449, and the proof of who is there. Actions put
 * them here and wait; the host in the frame shows the first one.
 *
 * A dialog is waiting → shown → (submitting → shown again with what was wrong)* → answered or left. One submission at a
 * time: a second Enter or click gets the one that is running. While it runs the dialog cannot be left, because its effect
 * may already be there.
 */
import { ApiError, asksToConfirm, type Confirmation } from '@airdeck/api-client/api-error';
import { IdentityError } from '../../session/identity-provider.ts';
import { cancelled } from './cancelled.ts';

export type Proof = { code: string } | { password: string };

type Entry<Answer> = {
  readonly id: number;
  /** Resolves to what the dialog has to show, or undefined when it is over. */
  readonly submit: (answer: Answer) => Promise<Error | undefined>;
  readonly leave: () => void;
};

export type ConfirmationDialog = Entry<string | undefined> & {
  readonly kind: 'confirmation';
  readonly confirmation: Confirmation;
};
export type ProofDialog = Entry<Proof> & { readonly kind: 'proof' };
export type OpenDialog = ConfirmationDialog | ProofDialog;

/** The queue of this page. */
export const dialogs = createDialogQueue();

export function createDialogQueue() {
  let waiting: readonly OpenDialog[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const change = (next: readonly OpenDialog[]) => {
    waiting = next;
    for (const listener of listeners) listener();
  };

  function ask<Answer, T>(given: Asked<Answer, T>): Promise<T> {
    lastId += 1;
    const id = lastId;
    return new Promise<T>((resolve, reject) => {
      const end = () => change(waiting.filter((dialog) => dialog.id !== id));
      let running: Promise<Error | undefined> | undefined;
      let last: Error | undefined;
      const attempt = async (answer: Answer) => {
        try {
          const result = await given.attempt(answer);
          end();
          resolve(result);
          return undefined;
        } catch (error) {
          if (error instanceof Error && given.shows(error)) {
            last = error;
            return error;
          }
          end();
          reject(error);
          return undefined;
        } finally {
          running = undefined;
        }
      };
      const submit = (answer: Answer) => {
        running ??= attempt(answer);
        return running;
      };
      const leave = () => {
        if (running !== undefined) return;
        end();
        // After a lost connection the effect may be there, so that failure is told; a plain "no" has nothing to tell.
        reject(last !== undefined && mayHaveHappened(last) ? last : cancelled());
      };
      change([...waiting, given.open({ id, submit, leave })]);
    });
  }

  return {
    current: () => waiting[0],
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Shows the question; `repeat` does what it is about, confirmed. */
    confirm<T>(confirmation: Confirmation, repeat: (passphrase: string | undefined) => Promise<T>): Promise<T> {
      return ask({
        attempt: repeat,
        shows: (error) => error instanceof ApiError && isAnsweredAgain(error),
        open: (entry: Entry<string | undefined>) => ({ ...entry, kind: 'confirmation', confirmation }),
      });
    },
    /** Asks who is there until `prove` accepts it. */
    prove(prove: (proof: Proof) => Promise<void>): Promise<void> {
      return ask({
        attempt: prove,
        shows: (error) => error instanceof IdentityError,
        open: (entry: Entry<Proof>) => ({ ...entry, kind: 'proof' }),
      });
    },
    /** Leaves all that can be left, for a page that goes away. */
    leaveAll(): void {
      for (const dialog of waiting) dialog.leave();
    },
  };
}

type Asked<Answer, T> = {
  attempt: (answer: Answer) => Promise<T>;
  /** Failures the dialog shows and can be answered again after; the others are the action's own. */
  shows: (error: Error) => boolean;
  open: (entry: Entry<Answer>) => OpenDialog;
};

/** A wrong passphrase, a question that is asked anew, or a failure that may pass. */
function isAnsweredAgain(error: ApiError): boolean {
  return error.code === 'CONFIRMATION_WRONG' || asksToConfirm(error) || error.retryable;
}

function mayHaveHappened(error: Error): boolean {
  return error instanceof ApiError && (error.category === 'network' || error.category === 'server');
}
