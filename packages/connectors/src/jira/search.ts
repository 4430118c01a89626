import { collectPages } from '@airdeck/connector-kit/paging';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectsOf, textOf } from '../answer-fields.ts';
import { inputCount, inputText, limitSchema } from '../vendor-action.ts';
import { issueFacts, issueFields, issueOf } from './issues.ts';
import { jiraAction, jiraClient } from './jira-client.ts';

const JQL_MAX = 5000;
const PAGE_SIZE = 100;

export const search = jiraAction({
  verb: 'search',
  friendly_name: 'Search issues',
  description: 'Issues that match a query in JQL.',
  input: {
    jql: {
      type: 'string',
      title: 'JQL',
      description:
        'Such as: project = SEC AND created >= -7d ORDER BY created DESC. Quote values that come from elsewhere.',
      minLength: 1,
      maxLength: JQL_MAX,
    },
    limit: limitSchema(50, 1000),
  },
  required: ['jql'],
  output: {
    issues: { type: 'array', items: { type: 'object', properties: issueFacts } },
    has_more: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,
  timeout_s: 60,

  async run(context) {
    const jql = inputText(context, 'jql', { max: JQL_MAX });
    const limit = inputCount(context, 'limit', { fallback: 50, max: 1000 });
    const { items, isCut } = await collectPages<JsonObject, string>({
      vendor: 'Jira',
      first: '',
      maxItems: limit,
      fetch: async (token) => {
        const page = await jiraClient.object(context, {
          method: 'POST',
          path: '/search/jql',
          reads: true,
          json: {
            jql,
            fields: issueFields,
            maxResults: Math.min(limit, PAGE_SIZE),
            ...(token === '' ? {} : { nextPageToken: token }),
          },
        });
        const next = textOf(page, 'nextPageToken');
        return { items: objectsOf(page.issues), next: page.isLast === true || next === null ? undefined : next };
      },
    });
    return { issues: items.map((issue) => issueOf(context, issue)), has_more: isCut };
  },
});
