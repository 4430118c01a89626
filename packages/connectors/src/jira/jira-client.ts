import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { StatedFailure, VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf, textsOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';
import { actionFactory, inputText } from '../vendor-action.ts';

export const jiraOwner = { definition_id: 'jira', vendor: 'Atlassian', product: 'Jira' } as const;

export const jiraAction = actionFactory(jiraOwner);

/** Paths are below `/rest/api/3`. */
export const jiraClient = createVendorClient({
  vendor: 'Jira',
  baseUrl: (config) => `${baseUrl(config)}/rest/api/3`,
  authorize: ({ config }) => ({
    authorization: `Basic ${Buffer.from(`${configText(config, 'email')}:${configText(config, 'api_token')}`).toString('base64')}`,
  }),
  failure: statedFailure,
});

const ISSUE = { max: 70, pattern: /^(?:[A-Za-z][A-Za-z0-9_]{0,49}-\d{1,12}|\d{1,18})$/, like: 'such as SEC-24' };

export const issueSchema = {
  type: 'string',
  title: 'Issue',
  description: 'Its key, such as SEC-24.',
  maxLength: ISSUE.max,
};

/** `/issue/SEC-24`, for the issue of the input. */
export function issuePath(context: Parameters<typeof inputText>[0]): string {
  return `/issue/${segment(inputText(context, 'issue', ISSUE))}`;
}

/** Where people open an issue. */
export function issueUrl({ config }: Pick<ConnectorContext, 'config'>, key: string | null): string | null {
  return key === null ? null : `${baseUrl(config)}/browse/${encodeURIComponent(key)}`;
}

/** `{"errorMessages":[],"errors":{"project":"project is required"}}`; a refused login has no body, or a page. */
function statedFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const data = objectOf(body);
  const fields = objectOf(data.errors);
  const words = [
    ...textsOf(data.errorMessages),
    ...Object.keys(fields).map((field) => `${field}: ${textOf(fields, field) ?? ''}`),
  ];
  if (status < 400 && words.length === 0) return undefined;
  return { detail: words.join('; ') };
}
