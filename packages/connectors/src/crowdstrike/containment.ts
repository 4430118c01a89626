import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { callFalcon } from './falcon-client.ts';
import { inputHost } from './hosts.ts';

export const containmentOutput: JsonObject = {
  device_id: { type: 'string' },
  hostname: { type: ['string', 'null'] },
  changed: { type: 'boolean', description: 'False when the host was in this state, or on its way there, already.' },
  status: {
    type: ['string', 'null'],
    description: 'As asked for; the sensor needs a moment. Find host tells when it is done.',
  },
};

type Change = {
  readonly action: 'contain' | 'lift_containment';
  /** States in which there is nothing to do. */
  readonly done: readonly string[];
  readonly pending: string;
};

/** Looking at the state first is what makes a second call of the same step harmless. */
export async function changeContainment(context: ActionContext, change: Change): Promise<JsonObject> {
  const host = await inputHost(context);
  const status = textOf(host, 'status');
  const facts = { device_id: host.device_id, hostname: textOf(host, 'hostname') };
  if (status !== null && change.done.includes(status)) return { ...facts, changed: false, status };
  await callFalcon(context, {
    method: 'POST',
    path: '/devices/entities/devices-actions/v2',
    query: { action_name: change.action },
    json: { ids: [host.device_id] },
  });
  return { ...facts, changed: true, status: change.pending };
}
