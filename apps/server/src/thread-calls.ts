/**
 * Questions and answers between two threads, in both directions over one port. An error comes out on the other side as what it
 * was for an answer to somebody (`AppError`), else as one with its message and stack.
 */
import { AppError } from './http/app-error.ts';

export type CallPort = {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
};

/** What one side answers, by name. Orders and answers are copied, so they are plain data. */
export type Answers = Readonly<Record<string, (order: never) => unknown>>;

type Order<Side extends Answers, Name extends keyof Side> = Parameters<Side[Name]>[0];

export type Calls<Theirs extends Answers> = {
  /** What is in `transfer` is given away. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    order: Order<Theirs, Name>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Waits for no answer; there is none, not even when it fails. */
  tell<Name extends keyof Theirs & string>(name: Name, order: Order<Theirs, Name>): void;
  /** Refuses everything that was asked and everything that will be. */
  end(reason: Error): void;
};

type Message =
  | { kind: 'question'; id: number | undefined; name: string; order: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: SentError };

type SentError =
  | { kind: 'app'; code: AppError['code']; message: string; options: ConstructorParameters<typeof AppError>[1] }
  | { kind: 'other'; name: string; message: string; stack: string | undefined };

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void };

export function openCalls<Theirs extends Answers>(port: CallPort, ours: Answers): Calls<Theirs> {
  const answers = new Map<string, (order: never) => unknown>(Object.entries(ours));
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let ended: Error | undefined;

  async function answer({ id, name, order }: Extract<Message, { kind: 'question' }>): Promise<void> {
    try {
      const value = await answers.get(name)?.(order as never);
      if (id !== undefined) port.postMessage({ kind: 'answer', id, value } satisfies Message);
    } catch (error) {
      if (id !== undefined) port.postMessage({ kind: 'failure', id, error: sent(error) } satisfies Message);
    }
  }

  port.on('message', (received) => {
    const message = received as Message;
    if (message.kind === 'question') {
      void answer(message);
      return;
    }
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') one?.resolve(message.value as never);
    else one?.reject(receivedError(message.error));
  });

  return {
    ask(name, order, transfer = []) {
      return new Promise((resolve, reject) => {
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const id = asked++;
        waiting.set(id, { resolve, reject });
        port.postMessage({ kind: 'question', id, name, order } satisfies Message, transfer);
      });
    },
    tell(name, order) {
      if (ended === undefined) port.postMessage({ kind: 'question', id: undefined, name, order } satisfies Message);
    },
    end(reason) {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
}

function sent(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, message, reason, values, details, retryAfterS, underWayMs } = error;
    const options = { reason, values, details, underWayMs, ...(retryAfterS && { retryAfterS }) };
    return { kind: 'app', code, message, options };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message, stack };
}

function receivedError(error: SentError): Error {
  if (error.kind === 'app') return new AppError(error.code, { ...error.options, message: error.message });
  const { name, message, stack } = error;
  return Object.assign(new Error(message), { name, ...(stack !== undefined && { stack }) });
}
