import { CommandError } from './command-error.ts';
import type { Surroundings } from './surroundings.ts';

/** Asks the running server, because a demo file may have been left behind by an earlier start at another stage. */
export async function assertStageLocal({ fetch }: Pick<Surroundings, 'fetch'>, url: string): Promise<void> {
  const answer = await reach(url, () => fetch(new URL('/config.json', url)));
  const config: unknown = await answer.json().catch(() => undefined);
  const stage = typeof config === 'object' && config !== null && 'target_stage' in config ? config.target_stage : '';
  if (stage !== 'local') throw new CommandError('STAGE_NOT_LOCAL', `The server at ${url} is not at stage local.`);
}

/** Turns "no connection" into a sentence. */
export async function reach(url: string, call: () => Promise<Response>): Promise<Response> {
  try {
    return await call();
  } catch (cause) {
    throw new CommandError('SERVER_UNREACHABLE', `No server answers at ${url}. Is it running (npm start)?`, { cause });
  }
}
