import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textAt, textOf } from '../answer-fields.ts';
import { configTextOr } from '../config-values.ts';
import { inputText } from '../vendor-action.ts';
import { pagerdutyAction, pagerdutyClient } from './pagerduty-client.ts';

const INCIDENT = { max: 30, pattern: /^[A-Z0-9]{5,30}$/, like: 'such as PT4KHLK' };
const KEY = { max: 255, pattern: /^[^\p{C}]+$/u };

export const findIncident = pagerdutyAction({
  verb: 'find_incident',
  friendly_name: 'Find incident',
  description: 'The incident that an alert with this deduplication key belongs to.',
  input: { dedup_key: { type: 'string', title: 'Deduplication key', minLength: 1, maxLength: KEY.max } },
  required: ['dedup_key'],
  output: {
    found: { type: 'boolean' },
    incident_id: { type: ['string', 'null'] },
    title: { type: ['string', 'null'] },
    status: { type: ['string', 'null'] },
    urgency: { type: ['string', 'null'] },
    service: { type: ['string', 'null'] },
    created_at: { type: ['string', 'null'] },
    url: { type: ['string', 'null'] },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const key = inputText(context, 'dedup_key', KEY);
    const query = { incident_key: key, date_range: 'all', limit: 1, sort_by: 'created_at:desc' };
    const answer = await pagerdutyClient.object(context, { path: '/incidents', query });
    const [incident] = objectsOf(answer.incidents);
    const facts: JsonObject = incident ?? {};
    return {
      found: incident !== undefined,
      incident_id: textOf(facts, 'id'),
      title: textOf(facts, 'title') ?? textOf(facts, 'summary'),
      status: textOf(facts, 'status'),
      urgency: textOf(facts, 'urgency'),
      service: textAt(facts, 'service', 'summary'),
      created_at: textOf(facts, 'created_at'),
      url: textOf(facts, 'html_url'),
    };
  },
});

export const createNote = pagerdutyAction({
  verb: 'create_note',
  friendly_name: 'Add note to incident',
  description: 'Adds a note to an incident, in the name of the address in the settings.',
  input: {
    incident_id: {
      type: 'string',
      title: 'Incident',
      description: 'As "Find incident" returns it.',
      maxLength: INCIDENT.max,
    },
    content: { type: 'string', title: 'Text', minLength: 1, maxLength: 25_000 },
  },
  required: ['incident_id', 'content'],
  output: { note_id: { type: ['string', 'null'] }, created_at: { type: ['string', 'null'] } },
  effect: 'changes',
  idempotent: false,

  async run(context) {
    const id = inputText(context, 'incident_id', INCIDENT);
    const content = inputText(context, 'content', { max: 25_000 });
    const from = configTextOr(context.config, 'from_email', '');
    if (from === '') {
      throw new VendorError(
        'CONNECTOR_CONFIG_INVALID',
        'Notes need the email address of a user in the settings of the connector.',
      );
    }
    const answer = await pagerdutyClient.object(context, {
      method: 'POST',
      path: `/incidents/${segment(id)}/notes`,
      headers: { from },
      json: { note: { content } },
    });
    const note = objectOf(answer.note);
    return { note_id: textOf(note, 'id'), created_at: textOf(note, 'created_at') };
  },
});
