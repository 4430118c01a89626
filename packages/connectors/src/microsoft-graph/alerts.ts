import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectsOf, textOf, textsOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { graphClient } from './graph-client.ts';

export const ALERTS = '/v1.0/security/alerts_v2';

export const alertIdInput: JsonObject = {
  type: 'string',
  title: 'Alert',
  description: 'Its id.',
  minLength: 1,
  maxLength: 200,
};

/** Path of the alert an action's input names. */
export function alertPath(context: ActionContext): string {
  return `${ALERTS}/${segment(inputText(context, 'alert_id', { max: 200 }))}`;
}

export function readAlert(context: ConnectorContext, path: string): Promise<JsonObject> {
  return graphClient.object(context, { path });
}

const nullableText: JsonObject = { type: ['string', 'null'] };

/** Enumerations are texts here: Microsoft adds members, and an unknown one is no error. */
export const alertOutput: JsonObject = {
  id: { type: 'string' },
  title: nullableText,
  description: nullableText,
  status: nullableText,
  severity: nullableText,
  classification: nullableText,
  determination: nullableText,
  category: nullableText,
  service_source: nullableText,
  product: nullableText,
  incident_id: nullableText,
  assigned_to: nullableText,
  url: nullableText,
  techniques: { type: 'array', items: { type: 'string' } },
  evidence: { type: 'array', items: { type: 'object' }, description: 'As Microsoft has it.' },
  created: nullableText,
  updated: nullableText,
};

/** An alert in the shape of `alertOutput`. */
export function alertFacts(alert: JsonObject): JsonObject {
  return {
    id: textOf(alert, 'id') ?? '',
    title: textOf(alert, 'title'),
    description: textOf(alert, 'description'),
    status: textOf(alert, 'status'),
    severity: textOf(alert, 'severity'),
    classification: textOf(alert, 'classification'),
    determination: textOf(alert, 'determination'),
    category: textOf(alert, 'category'),
    service_source: textOf(alert, 'serviceSource'),
    product: textOf(alert, 'productName'),
    incident_id: textOf(alert, 'incidentId'),
    assigned_to: textOf(alert, 'assignedTo'),
    url: textOf(alert, 'alertWebUrl'),
    techniques: textsOf(alert.mitreTechniques),
    evidence: objectsOf(alert.evidence),
    created: textOf(alert, 'createdDateTime'),
    updated: textOf(alert, 'lastUpdateDateTime'),
  };
}
