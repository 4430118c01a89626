import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { optionalText } from '../vendor-action.ts';
import { alertFacts, alertIdInput, alertOutput, alertPath } from './alerts.ts';
import { graphAction } from './graph-action.ts';
import { graphClient } from './graph-client.ts';

/** What may be set; Microsoft's own names. `unknownFutureValue` is not a value but a promise of more. */
export const alertStatuses = ['new', 'inProgress', 'resolved'];
export const alertClassifications = ['unknown', 'falsePositive', 'truePositive', 'informationalExpectedActivity'];
export const alertDeterminations = [
  'unknown',
  'apt',
  'malware',
  'securityPersonnel',
  'securityTesting',
  'unwantedSoftware',
  'other',
  'multiStagedAttack',
  'compromisedAccount',
  'phishing',
  'maliciousUserActivity',
  'notMalicious',
  'notEnoughDataToValidate',
  'confirmedActivity',
  'lineOfBusinessApplication',
];

export const updateAlert = graphAction({
  verb: 'update_alert',
  friendly_name: 'Update alert',
  description: 'Sets status, classification and assignee of an alert. Only what is given is changed.',
  effect: 'changes',
  idempotent: true,
  input: {
    alert_id: alertIdInput,
    status: { type: 'string', title: 'Status', enum: alertStatuses },
    classification: { type: 'string', title: 'Classification', enum: alertClassifications },
    determination: { type: 'string', title: 'Determination', enum: alertDeterminations },
    assigned_to: { type: 'string', title: 'Assigned to', description: 'User principal name.', maxLength: 256 },
  },
  required: ['alert_id'],
  output: alertOutput,

  async run(context) {
    const path = alertPath(context);
    const json = changesOf(context);
    if (Object.keys(json).length === 0) {
      throw new VendorError('VENDOR_REJECTED', 'There is nothing to change: give at least one value.');
    }
    return alertFacts(await graphClient.object(context, { method: 'PATCH', path, json, idempotent: true }));
  },
});

function changesOf(context: ActionContext): JsonObject {
  const fields: [string, string | undefined][] = [
    ['status', oneOf(context, 'status', alertStatuses)],
    ['classification', oneOf(context, 'classification', alertClassifications)],
    ['determination', oneOf(context, 'determination', alertDeterminations)],
    ['assignedTo', optionalText(context, 'assigned_to', { max: 256 })],
  ];
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function oneOf(context: ActionContext, field: string, allowed: readonly string[]): string | undefined {
  const value = optionalText(context, field, { max: 60 });
  if (value === undefined || allowed.includes(value)) return value;
  throw new VendorError('VENDOR_REJECTED', `"${field}" must be one of ${allowed.join(', ')}.`);
}
