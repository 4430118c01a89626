import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { inputText, optionalText } from '../vendor-action.ts';
import {
  givenFields,
  incidentFacts,
  incidentFields,
  incidentOf,
  incidentSchema,
  inputIncident,
  laterFields,
} from './incident.ts';
import { recordOf, servicenowAction, tablePage } from './servicenow-client.ts';

const CORRELATION_MAX = 100;

export const createIncident = servicenowAction({
  verb: 'create_incident',
  friendly_name: 'Create incident',
  description: 'Opens an incident, or returns the one that was opened for the same correlation id.',
  input: {
    ...incidentFields,
    correlation_id: {
      type: 'string',
      title: 'Correlation id',
      description: 'Such as the id of the case: one incident each. Without one, every run opens its own.',
      maxLength: CORRELATION_MAX,
    },
  },
  required: ['short_description'],
  output: { ...incidentFacts, created: { type: 'boolean', description: 'False when it was there already.' } },
  effect: 'changes',
  // Looked up by its correlation id first, so a repetition finds what the first try left.
  idempotent: true,

  async run(context) {
    const correlationId = correlationOf(context);
    const query = `correlation_id=${correlationId}`;
    const [known] = (await tablePage(context, 'incident', { query, limit: 1 })).records;
    if (known !== undefined) return { ...incidentOf(context, known), created: false };
    inputText(context, 'short_description', { max: incidentFields.short_description.maxLength });
    const json = { ...givenFields(context, incidentFields), correlation_id: correlationId };
    const created = await recordOf(context, { method: 'POST', path: '/table/incident', json });
    return { ...incidentOf(context, created), created: true };
  },
});

/** A query is a text in which `^` joins conditions and `javascript:` runs a script, so neither may come in here. */
function correlationOf(context: ActionContext): string {
  const rule = { max: CORRELATION_MAX, pattern: /^(?!javascript:)[A-Za-z0-9 _.:@/#-]+$/i, like: 'such as case-77' };
  const given = optionalText(context, 'correlation_id', rule);
  return given ?? context.idempotencyKey.replace(/[^A-Za-z0-9_.:-]/g, '-').slice(-CORRELATION_MAX);
}

export const getIncident = servicenowAction({
  verb: 'get_incident',
  friendly_name: 'Get incident',
  description: 'State of an incident.',
  input: { incident: incidentSchema },
  required: ['incident'],
  output: incidentFacts,
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const { record } = await inputIncident(context);
    return incidentOf(context, record);
  },
});

const changeable = { ...incidentFields, ...laterFields };

export const updateIncident = servicenowAction({
  verb: 'update_incident',
  friendly_name: 'Update incident',
  description: 'Changes the given fields of an incident; the others stay.',
  input: { incident: incidentSchema, ...changeable },
  required: ['incident'],
  output: incidentFacts,
  effect: 'changes',
  idempotent: true,

  async run(context) {
    const json = givenFields(context, changeable);
    if (Object.keys(json).length === 0) throw new VendorError('VENDOR_REJECTED', 'No field to change is given.');
    const { path } = await inputIncident(context);
    return incidentOf(context, await recordOf(context, { method: 'PATCH', path, json, idempotent: true }));
  },
});

export const addWorkNote = servicenowAction({
  verb: 'add_work_note',
  friendly_name: 'Add work note',
  description: 'Adds an internal note to an incident.',
  input: { incident: incidentSchema, text: { type: 'string', title: 'Text', minLength: 1, maxLength: 10_000 } },
  required: ['incident', 'text'],
  output: incidentFacts,
  effect: 'changes',
  idempotent: false,

  async run(context) {
    const text = inputText(context, 'text', { max: 10_000 });
    const { path } = await inputIncident(context);
    return incidentOf(context, await recordOf(context, { method: 'PATCH', path, json: { work_notes: text } }));
  },
});
