/** Single calls of benches that load a server from outside, and waiting for what comes of them. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './http-load.ts';

const SETTLED_WITHIN_MS = 60_000;

/** A GET, or with a body the POST of it. Throws unless it is answered with success. */
export async function asked<T>(
  url: string,
  token: string,
  { path, body }: { path: string; body?: object },
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** What goes on behind an answer has a minute to become what it should be. */
export async function settled(what: string, expected: number, count: () => Promise<number>): Promise<void> {
  const started = performance.now();
  for (;;) {
    const found = await count();
    if (found === expected) return;
    if (performance.now() - started > SETTLED_WITHIN_MS) {
      throw new Error(`There should be ${expected} ${what}, and there are ${found}.`);
    }
    await wait(250);
  }
}

export function assertStatus(what: string, answers: readonly Answer[], status: number): void {
  const wrong = answers.find((answer) => answer.status !== status);
  if (wrong !== undefined) throw new Error(`${what} was answered with ${wrong.status} instead of ${status}.`);
}

/** A published playbook of steps one after the other, each of so many seconds, which needs nothing but the engine. Its id. */
export async function publishSteps(
  url: string,
  { tenant, token }: { tenant: string; token: string },
  { steps, seconds }: { steps: number; seconds: number },
): Promise<string> {
  const actions = Array.from({ length: steps }, (_, at) => ({
    ...{ id: `step_${at}`, kind: 'delay', seconds },
    ...(at === 0 ? {} : { depends_on: [`step_${at - 1}`] }),
  }));
  const definition = {
    metadata: { name: `Bench ${Date.now()}`, description: '', author: '', updated_by: '' },
    ...{ inputs: {}, actions, outputs: {}, exec_options: { max_concurrent_actions: 4 } },
  };
  const path = `/api/tenants/${tenant}/soar/playbooks`;
  const made = await asked<{ playbook_id: string; revision: number }>(url, token, { path, body: { definition } });
  await asked(url, token, { path: `${path}/${made.playbook_id}/publish`, body: { revision: made.revision } });
  return made.playbook_id;
}
