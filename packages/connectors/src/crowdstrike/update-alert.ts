import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { optionalText } from '../vendor-action.ts';
import type { AlertChange } from './alerts.ts';
import { alertFacts, alertIdInput, alertOutput, changeAlert, inputAlertId, readAlert } from './alerts.ts';
import { falconAction } from './falcon-action.ts';

const statuses = ['new', 'in_progress', 'reopened', 'closed'];

export const updateAlert = falconAction({
  verb: 'update_alert',
  friendly_name: 'Update alert',
  description: 'Sets status, assignee and tags of an alert. Only what is given is changed.',
  effect: 'changes',
  idempotent: true,
  input: {
    alert_id: alertIdInput,
    status: { type: 'string', title: 'Status', enum: statuses },
    assign_to: {
      type: 'string',
      title: 'Assign to',
      description: 'User id in Falcon, an e-mail address.',
      maxLength: 254,
    },
    add_tag: { type: 'string', title: 'Add tag', maxLength: 100 },
    remove_tag: { type: 'string', title: 'Remove tag', maxLength: 100 },
  },
  required: ['alert_id'],
  output: alertOutput,

  async run(context) {
    const id = inputAlertId(context);
    const changes = changesOf(context);
    if (changes.length === 0)
      throw new VendorError('VENDOR_REJECTED', 'There is nothing to change: give at least one value.');
    await changeAlert(context, { id, changes, idempotent: true });
    return alertFacts(await readAlert(context, id));
  },
});

function changesOf(context: ActionContext): AlertChange[] {
  const like = { max: 11, pattern: new RegExp(`^(?:${statuses.join('|')})$`), like: `one of ${statuses.join(', ')}` };
  const wanted = [
    { name: 'update_status', value: optionalText(context, 'status', like) },
    { name: 'assign_to_user_id', value: optionalText(context, 'assign_to', { max: 254 }) },
    { name: 'remove_tag', value: optionalText(context, 'remove_tag', { max: 100 }) },
    { name: 'add_tag', value: optionalText(context, 'add_tag', { max: 100 }) },
  ];
  return wanted.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
}
