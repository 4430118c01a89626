import type { ActionContext } from '@airdeck/connector-kit/definition';
import { clipped } from '@airdeck/connector-kit/vendor-answer';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectsOf, textAt, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { issuePath, issueSchema, jiraAction, jiraClient } from './jira-client.ts';

export const transitionIssue = jiraAction({
  verb: 'transition_issue',
  friendly_name: 'Move issue to status',
  description: 'Moves an issue along its workflow, to a status or by the name of a step.',
  input: {
    issue: issueSchema,
    to: {
      type: 'string',
      title: 'Status or step',
      description: 'Such as Done or Resolve.',
      minLength: 1,
      maxLength: 255,
    },
  },
  required: ['issue', 'to'],
  output: {
    status: { type: ['string', 'null'] },
    changed: { type: 'boolean', description: 'False when it was there already.' },
  },
  effect: 'changes',
  // A step may lead back to where it began, or be gone from where it led to; only a status is left alone the second time.
  idempotent: false,

  async run(context) {
    const wanted = inputText(context, 'to', { max: 255 }).trim().toLowerCase();
    const path = issuePath(context);
    const issue = await jiraClient.object(context, { path, query: { fields: 'status' } });
    const status = textAt(issue, 'fields', 'status', 'name');
    if (status?.toLowerCase() === wanted) return { status, changed: false };
    const step = await findStep(context, path, wanted);
    const target = textAt(step, 'to', 'name');
    if (target !== null && target === status) return { status, changed: false };
    await jiraClient.call(context, {
      method: 'POST',
      path: `${path}/transitions`,
      json: { transition: { id: textOf(step, 'id') } },
    });
    return { status: target, changed: true };
  },
});

/** A status it leads to goes before the name of a step. */
async function findStep(context: ActionContext, path: string, wanted: string): Promise<JsonObject> {
  const answer = await jiraClient.object(context, { path: `${path}/transitions` });
  const steps = objectsOf(answer.transitions).filter((step) => textOf(step, 'id') !== null);
  const found =
    steps.find((step) => textAt(step, 'to', 'name')?.toLowerCase() === wanted) ??
    steps.find((step) => textOf(step, 'name')?.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = steps.map((step) => textAt(step, 'to', 'name') ?? textOf(step, 'name') ?? '').join(', ');
  throw new VendorError(
    'VENDOR_REJECTED',
    `The issue cannot go there from where it is. Possible: ${names === '' ? 'nothing' : clipped(names)}.`,
  );
}
