import type { clientAt } from '../src/api.ts';

type Client = ReturnType<typeof clientAt>;

/** A published playbook of pauses one after the other, which needs nothing but the engine. Answers its id. */
export async function stepsPlaybook(
  api: Client,
  tenant: string,
  { name, steps, seconds }: { name: string; steps: number; seconds: number },
): Promise<string> {
  const actions = Array.from({ length: steps }, (_, at) => ({
    id: `step_${at}`,
    kind: 'delay',
    seconds,
    ...(at === 0 ? {} : { depends_on: [`step_${at - 1}`] }),
  }));
  const definition = {
    metadata: { name, description: '', author: '', updated_by: '' },
    inputs: {},
    actions,
    outputs: {},
    exec_options: { max_concurrent_actions: 4 },
  };
  const { playbook_id: id, revision } = await api.call('playbooks.create', {
    params: { tenant },
    body: { definition },
  });
  await api.call('playbooks.publish', { params: { tenant, id }, body: { revision } });
  return id;
}
