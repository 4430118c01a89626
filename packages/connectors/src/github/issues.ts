import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, textOf, textsOf } from '../answer-fields.ts';
import { inputText, optionalText } from '../vendor-action.ts';
import { githubAction } from './github-action.ts';
import { githubClient, repositoryPath } from './github-client.ts';

const BODY_MAX = 65_536;

const repositorySchema = {
  type: 'string',
  title: 'Repository',
  description: "Its name in the connector's organization, or owner/name.",
  maxLength: 200,
};

export const createIssue = githubAction({
  verb: 'create_issue',
  friendly_name: 'Create issue',
  description: 'Opens an issue in a repository.',
  input: {
    repository: repositorySchema,
    title: { type: 'string', title: 'Title', minLength: 1, maxLength: 256 },
    body: { type: 'string', title: 'Text', description: 'Markdown.', maxLength: BODY_MAX },
    labels: { type: 'array', title: 'Labels', items: { type: 'string', maxLength: 50 }, maxItems: 20 },
    assignees: { type: 'array', title: 'Assignees', items: { type: 'string', maxLength: 100 }, maxItems: 10 },
  },
  required: ['repository', 'title'],
  output: {
    number: { type: 'integer' },
    url: { type: ['string', 'null'] },
    state: { type: ['string', 'null'] },
  },
  effect: 'changes',
  // GitHub takes no key that would make a repeated creation one.
  idempotent: false,

  async run(context) {
    const issue = await githubClient.object(context, {
      method: 'POST',
      path: `${repositoryPath(context)}/issues`,
      json: {
        title: inputText(context, 'title', { max: 256 }),
        body: optionalText(context, 'body', { max: BODY_MAX }),
        labels: textsOf(context.input.labels),
        assignees: textsOf(context.input.assignees),
      },
    });
    return { number: createdNumber(issue), url: textOf(issue, 'html_url'), state: textOf(issue, 'state') };
  },
});

export const commentIssue = githubAction({
  verb: 'comment_issue',
  friendly_name: 'Comment on issue',
  description: 'Adds a comment to an issue or pull request.',
  input: {
    repository: repositorySchema,
    number: { type: 'integer', title: 'Number', minimum: 1 },
    body: { type: 'string', title: 'Text', description: 'Markdown.', minLength: 1, maxLength: BODY_MAX },
  },
  required: ['repository', 'number', 'body'],
  output: { comment_id: { type: ['integer', 'null'] }, url: { type: ['string', 'null'] } },
  effect: 'changes',
  idempotent: false,

  async run(context) {
    const comment = await githubClient.object(context, {
      method: 'POST',
      path: `${repositoryPath(context)}/issues/${issueNumber(context)}/comments`,
      json: { body: inputText(context, 'body', { max: BODY_MAX }) },
    });
    return { comment_id: numberOf(comment, 'id'), url: textOf(comment, 'html_url') };
  },
});

function issueNumber({ input }: ActionContext): number {
  const { number } = input;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number;
  throw new VendorError('VENDOR_REJECTED', '"number" must be the number of an issue.');
}

function createdNumber(issue: JsonObject): number {
  const number = numberOf(issue, 'number');
  if (number !== null) return number;
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'GitHub did not say which issue it created.');
}
