import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { callFalcon, FALCON, objectsIn } from './falcon-client.ts';

export const alertIdInput: JsonObject = {
  type: 'string',
  title: 'Alert',
  description: 'Composite id, such as <customer id>:ind:<device id>:<number>.',
  minLength: 1,
  maxLength: 500,
};

export function inputAlertId(context: ActionContext): string {
  return inputText(context, 'alert_id', { max: 500 });
}

export async function readAlert(context: ConnectorContext, id: string): Promise<JsonObject> {
  const answer = await callFalcon(context, {
    method: 'POST',
    path: '/alerts/entities/alerts/v2',
    json: { composite_ids: [id] },
    reads: true,
  });
  const [alert] = objectsIn(answer);
  if (alert !== undefined) return alert;
  throw new VendorError('VENDOR_NOT_FOUND', `${FALCON} knows no such alert.`);
}

/** `{ name: 'update_status', value: 'closed' }` */
export type AlertChange = { readonly name: string; readonly value: string };

export async function changeAlert(
  context: ConnectorContext,
  { id, changes, idempotent }: { id: string; changes: readonly AlertChange[]; idempotent: boolean },
): Promise<void> {
  await callFalcon(context, {
    method: 'PATCH',
    path: '/alerts/entities/alerts/v3',
    json: { composite_ids: [id], action_parameters: changes },
    idempotent,
  });
}

const nullableText: JsonObject = { type: ['string', 'null'] };

export const alertOutput: JsonObject = {
  id: { type: 'string', description: 'Composite id.' },
  name: nullableText,
  description: nullableText,
  status: nullableText,
  severity: { type: ['number', 'null'], description: '0 to 100.' },
  severity_name: nullableText,
  tactic: nullableText,
  technique: nullableText,
  hostname: nullableText,
  device_id: nullableText,
  assigned_to: nullableText,
  tags: { type: 'array', items: { type: 'string' } },
  created: nullableText,
  updated: nullableText,
};

/** An alert in the shape of `alertOutput`. */
export function alertFacts(alert: JsonObject): JsonObject {
  return {
    id: textOf(alert, 'composite_id') ?? '',
    name: textOf(alert, 'display_name') ?? textOf(alert, 'name'),
    description: textOf(alert, 'description'),
    status: textOf(alert, 'status'),
    severity: numberOf(alert, 'severity'),
    severity_name: textOf(alert, 'severity_name'),
    tactic: textOf(alert, 'tactic'),
    technique: textOf(alert, 'technique'),
    hostname: textAt(alert, 'device', 'hostname'),
    device_id: textAt(alert, 'device', 'device_id') ?? textOf(alert, 'agent_id'),
    assigned_to: textOf(alert, 'assigned_to_name'),
    tags: textsOf(alert.tags),
    created: textOf(alert, 'created_timestamp'),
    updated: textOf(alert, 'updated_timestamp'),
  };
}
