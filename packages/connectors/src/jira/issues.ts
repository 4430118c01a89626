import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textAt, textOf, textsOf } from '../answer-fields.ts';
import { configTextOr } from '../config-values.ts';
import { inputText, optionalText } from '../vendor-action.ts';
import { documentOf, textOfDocument } from './document.ts';
import { issuePath, issueSchema, issueUrl, jiraAction, jiraClient } from './jira-client.ts';

/** Jira's own bound of a text field. */
const TEXT_MAX = 32_767;
const PROJECT = { max: 50, pattern: /^[A-Za-z][A-Za-z0-9_]*$/, like: 'such as SEC' };

const nullableText = { type: ['string', 'null'] };

export const issueFacts = {
  id: nullableText,
  key: nullableText,
  summary: nullableText,
  status: nullableText,
  type: nullableText,
  priority: nullableText,
  assignee: nullableText,
  reporter: nullableText,
  labels: { type: 'array', items: { type: 'string' } },
  created_at: nullableText,
  updated_at: nullableText,
  url: nullableText,
};

/** What Jira is asked for to fill `issueFacts`. */
export const issueFields = [
  'summary',
  'status',
  'issuetype',
  'priority',
  'assignee',
  'reporter',
  'labels',
  'created',
  'updated',
] as const;

export function issueOf(context: ActionContext, issue: JsonObject): JsonObject {
  const fields = objectOf(issue.fields);
  const key = textOf(issue, 'key');
  return {
    id: textOf(issue, 'id'),
    key,
    summary: textOf(fields, 'summary'),
    status: textAt(fields, 'status', 'name'),
    type: textAt(fields, 'issuetype', 'name'),
    priority: textAt(fields, 'priority', 'name'),
    assignee: textAt(fields, 'assignee', 'displayName'),
    reporter: textAt(fields, 'reporter', 'displayName'),
    labels: textsOf(fields.labels),
    created_at: textOf(fields, 'created'),
    updated_at: textOf(fields, 'updated'),
    url: issueUrl(context, key),
  };
}

export const createIssue = jiraAction({
  verb: 'create_issue',
  friendly_name: 'Create issue',
  description: 'Opens an issue in a project.',
  input: {
    project: {
      type: 'string',
      title: 'Project',
      description: "Its key. The connector's project when left empty.",
      maxLength: PROJECT.max,
    },
    type: { type: 'string', title: 'Type of issue', default: 'Task', maxLength: 100 },
    summary: { type: 'string', title: 'Summary', minLength: 1, maxLength: 255 },
    description: { type: 'string', title: 'Description', maxLength: TEXT_MAX },
    priority: { type: 'string', title: 'Priority', description: 'By name, such as High.', maxLength: 100 },
    labels: {
      type: 'array',
      title: 'Labels',
      items: { type: 'string', pattern: '^\\S+$', maxLength: 255 },
      maxItems: 20,
    },
    assignee_id: { type: 'string', title: 'Assignee', description: 'Id of an account.', maxLength: 128 },
  },
  required: ['summary'],
  output: { id: nullableText, key: { type: 'string' }, url: nullableText },
  effect: 'changes',
  // Jira takes no key that would make a repeated creation one.
  idempotent: false,

  async run(context) {
    const created = await jiraClient.object(context, {
      method: 'POST',
      path: '/issue',
      json: { fields: newFields(context) },
    });
    const key = textOf(created, 'key');
    if (key === null) throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'Jira did not say which issue it created.');
    return { id: textOf(created, 'id'), key, url: issueUrl(context, key) };
  },
});

function newFields(context: ActionContext): JsonObject {
  const project = optionalText(context, 'project', PROJECT) ?? configTextOr(context.config, 'project', '');
  if (!PROJECT.pattern.test(project)) {
    throw new VendorError('VENDOR_REJECTED', 'Name the project, here or in the settings of the connector.');
  }
  const description = optionalText(context, 'description', { max: TEXT_MAX });
  const priority = optionalText(context, 'priority', { max: 100 });
  const labels = textsOf(context.input.labels);
  const assignee = optionalText(context, 'assignee_id', { max: 128 });
  return {
    project: { key: project.toUpperCase() },
    issuetype: { name: optionalText(context, 'type', { max: 100 }) ?? 'Task' },
    // Line ends in a summary are refused.
    summary: inputText(context, 'summary', { max: 255 }).replace(/\s+/g, ' '),
    ...(description === undefined ? {} : { description: documentOf(description) }),
    ...(priority === undefined ? {} : { priority: { name: priority } }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(assignee === undefined ? {} : { assignee: { accountId: assignee } }),
  };
}

export const getIssue = jiraAction({
  verb: 'get_issue',
  friendly_name: 'Get issue',
  description: 'State and texts of an issue.',
  input: { issue: issueSchema },
  required: ['issue'],
  output: { ...issueFacts, description: nullableText },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const query = { fields: [...issueFields, 'description'].join(',') };
    const issue = await jiraClient.object(context, { path: issuePath(context), query });
    return { ...issueOf(context, issue), description: textOfDocument(objectOf(issue.fields).description, TEXT_MAX) };
  },
});

export const addComment = jiraAction({
  verb: 'add_comment',
  friendly_name: 'Add comment',
  description: 'Adds a comment to an issue.',
  input: { issue: issueSchema, text: { type: 'string', title: 'Text', minLength: 1, maxLength: TEXT_MAX } },
  required: ['issue', 'text'],
  output: { comment_id: nullableText, created_at: nullableText },
  effect: 'changes',
  idempotent: false,

  async run(context) {
    const comment = await jiraClient.object(context, {
      method: 'POST',
      path: `${issuePath(context)}/comment`,
      json: { body: documentOf(inputText(context, 'text', { max: TEXT_MAX })) },
    });
    return { comment_id: textOf(comment, 'id'), created_at: textOf(comment, 'created') };
  },
});
