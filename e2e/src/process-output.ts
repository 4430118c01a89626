import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

const READY = / is ready: http/;
const START_WITHIN_MS = 300_000;

/** What a server says, gathered from its start on. */
export type ProcessOutput = {
  text(): string;
  /** Resolves when the server says that it is ready; rejects when it ends first, or is not ready in five minutes. */
  ready(): Promise<void>;
};

export function listenTo(child: ChildProcessByStdio<null, Readable, Readable>): ProcessOutput {
  let said = '';
  let hear: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      hear();
    });
  }
  return {
    text: () => said,
    ready: () =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => end(new Error(`The server was not ready in time:\n${said}`)), START_WITHIN_MS);
        const closed = () => end(new Error(`The server ended while starting:\n${said}`));
        const end = (problem?: Error) => {
          clearTimeout(timer);
          child.off('close', closed);
          hear = () => undefined;
          if (problem === undefined) resolve();
          else reject(problem);
        };
        hear = () => {
          if (READY.test(said)) end();
        };
        child.once('close', closed);
        hear();
      }),
  };
}
