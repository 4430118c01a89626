import { inputText } from '../vendor-action.ts';
import { alertFacts, alertIdInput, alertOutput, changeAlert, inputAlertId, readAlert } from './alerts.ts';
import { falconAction } from './falcon-action.ts';

export const commentAlert = falconAction({
  verb: 'comment_alert',
  friendly_name: 'Comment alert',
  description: 'Adds a comment to an alert.',
  effect: 'changes',
  // Falcon takes no key for it: a second call is a second comment.
  idempotent: false,
  input: { alert_id: alertIdInput, comment: { type: 'string', title: 'Comment', minLength: 1, maxLength: 4000 } },
  required: ['alert_id', 'comment'],
  output: alertOutput,

  async run(context) {
    const id = inputAlertId(context);
    const value = inputText(context, 'comment', { max: 4000 });
    // Read first: a failure after the comment would have it made once more.
    const alert = await readAlert(context, id);
    await changeAlert(context, { id, changes: [{ name: 'append_comment', value }], idempotent: false });
    return alertFacts(alert);
  },
});
