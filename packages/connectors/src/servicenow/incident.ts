import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { baseUrl } from '../config-values.ts';
import { inputText, optionalText } from '../vendor-action.ts';
import { fieldOf, tablePage, timeOf } from './servicenow-client.ts';

const nullableText = { type: ['string', 'null'] };

export const incidentFacts = {
  sys_id: nullableText,
  number: nullableText,
  short_description: nullableText,
  state: nullableText,
  urgency: nullableText,
  impact: nullableText,
  priority: nullableText,
  assignment_group: nullableText,
  assigned_to: nullableText,
  correlation_id: nullableText,
  created_at: nullableText,
  updated_at: nullableText,
  url: nullableText,
};

export function incidentOf({ config }: ActionContext, record: JsonObject): JsonObject {
  const sysId = fieldOf(record, 'sys_id');
  return {
    sys_id: sysId,
    number: fieldOf(record, 'number'),
    short_description: fieldOf(record, 'short_description'),
    state: fieldOf(record, 'state'),
    urgency: fieldOf(record, 'urgency'),
    impact: fieldOf(record, 'impact'),
    priority: fieldOf(record, 'priority'),
    assignment_group: fieldOf(record, 'assignment_group'),
    assigned_to: fieldOf(record, 'assigned_to'),
    correlation_id: fieldOf(record, 'correlation_id'),
    created_at: timeOf(record, 'sys_created_on'),
    updated_at: timeOf(record, 'sys_updated_on'),
    url: sysId === null ? null : `${baseUrl(config)}/nav_to.do?uri=incident.do?sys_id=${encodeURIComponent(sysId)}`,
  };
}

const INCIDENT = { max: 40, pattern: /^(?:[0-9a-f]{32}|[A-Za-z]{2,10}\d{4,12})$/, like: 'such as INC0010002' };

export const incidentSchema = {
  type: 'string',
  title: 'Incident',
  description: 'Its number, such as INC0010002, or its sys_id.',
  maxLength: INCIDENT.max,
};

/** The incident of the input, by number or sys_id. Both are of a form that cannot extend a query. */
export async function inputIncident(context: ActionContext): Promise<{ record: JsonObject; path: string }> {
  const text = inputText(context, 'incident', INCIDENT);
  const query = /^[0-9a-f]{32}$/.test(text) ? `sys_id=${text}` : `number=${text.toUpperCase()}`;
  const [record] = (await tablePage(context, 'incident', { query, limit: 1 })).records;
  const sysId = record === undefined ? null : fieldOf(record, 'sys_id');
  if (record !== undefined && sysId !== null && /^[0-9a-f]{32}$/.test(sysId)) {
    return { record, path: `/table/incident/${sysId}` };
  }
  throw new VendorError('VENDOR_NOT_FOUND', `ServiceNow has no incident ${text} that this account may see.`);
}

const level = { type: 'string', enum: ['1', '2', '3'] };

export const incidentFields = {
  short_description: { type: 'string', title: 'Short description', minLength: 1, maxLength: 160 },
  description: { type: 'string', title: 'Description', maxLength: 4000 },
  urgency: { ...level, title: 'Urgency', description: '1 is high, 3 is low.' },
  impact: { ...level, title: 'Impact', description: '1 is high, 3 is low.' },
  category: { type: 'string', title: 'Category', maxLength: 40 },
  caller_id: { type: 'string', title: 'Caller', description: 'User name or sys_id.', maxLength: 100 },
  assignment_group: { type: 'string', title: 'Assignment group', description: 'Name or sys_id.', maxLength: 100 },
  assigned_to: { type: 'string', title: 'Assigned to', description: 'User name or sys_id.', maxLength: 100 },
} as const;

/** What only an existing incident has. */
export const laterFields = {
  state: {
    type: 'string',
    title: 'State',
    description: 'Its number: 2 in progress, 6 resolved, 7 closed.',
    pattern: '^-?\\d{1,3}$',
    maxLength: 4,
  },
  close_code: { type: 'string', title: 'Resolution code', maxLength: 100 },
  close_notes: { type: 'string', title: 'Resolution notes', maxLength: 4000 },
} as const;

/** The given ones of these fields; nothing else of an input reaches the record. */
export function givenFields(
  context: ActionContext,
  schemas: Readonly<Record<string, { readonly maxLength?: number; readonly enum?: readonly string[] }>>,
): Record<string, string> {
  const given = Object.entries(schemas).flatMap(([field, schema]) => {
    const value = optionalText(context, field, { max: schema.maxLength ?? 1 });
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(given);
}
