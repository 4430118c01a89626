import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { fetchInTurns } from '../source-turns.ts';
import { lookbackOption } from '../time-keyed-fetch.ts';
import type { AlertSource } from './alert-lists.ts';
import { fetchAuditLog } from './audit-log-events.ts';
import { includeSchema } from './list-org-audit-log.ts';
import { fetchAlerts } from './security-alert-events.ts';

type Source = 'audit_log' | AlertSource;

const names: Readonly<Record<Source, string>> = {
  audit_log: 'Audit log',
  secret_scanning: 'Alerts of secret scanning',
  code_scanning: 'Alerts of code scanning',
  dependabot: 'Alerts of Dependabot',
};
const sources = ['audit_log', 'secret_scanning', 'code_scanning', 'dependabot'] as const satisfies readonly Source[];

export const githubEventOptions: JsonObject = {
  type: 'object',
  title: 'Events of GitHub',
  additionalProperties: false,
  properties: {
    sources: {
      type: 'array',
      title: 'Sources',
      description: 'The audit log needs GitHub Enterprise, alerts need the feature they come from.',
      items: { type: 'string', enum: [...sources], value_names: names },
      minItems: 1,
      maxItems: sources.length,
      uniqueItems: true,
      default: ['audit_log'],
    },
    phrase: {
      type: 'string',
      title: 'Only audit entries that match',
      description: 'A search phrase in the syntax of the audit log, without "created:".',
      maxLength: 300,
    },
    include: includeSchema,
    lookback_hours: lookbackOption,
  },
};

export function fetchGithubEvents(context: FetchContext): Promise<FetchPage> {
  return fetchInTurns(context, {
    chosen: chosenSources(context.options.sources),
    names,
    read: (source, own) => (source === 'audit_log' ? fetchAuditLog(own) : fetchAlerts(own, source)),
  });
}

function chosenSources(value: unknown): readonly [Source, ...Source[]] {
  const [first = 'audit_log', ...others] = Array.isArray(value)
    ? sources.filter((source) => value.includes(source))
    : [];
  return [first, ...others];
}
