import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '../answer-fields.ts';
import { lookbackOption } from '../time-keyed-fetch.ts';
import type { AlertSource } from './alert-lists.ts';
import { fetchAuditLog } from './audit-log-events.ts';
import { includeSchema } from './list-org-audit-log.ts';
import { fetchAlerts } from './security-alert-events.ts';

const sources = ['audit_log', 'secret_scanning', 'code_scanning', 'dependabot'] as const satisfies readonly (
  | 'audit_log'
  | AlertSource
)[];
type Source = (typeof sources)[number];

export const githubEventOptions: JsonObject = {
  type: 'object',
  title: 'Events of GitHub',
  additionalProperties: false,
  properties: {
    sources: {
      type: 'array',
      title: 'Sources',
      description: 'The audit log needs GitHub Enterprise, alerts need the feature they come from.',
      items: { type: 'string', enum: [...sources] },
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

/**
 * One page of one source per call; the sources take turns within a round. Cursor: whose turn it is, and the cursor of each
 * source.
 */
export async function fetchGithubEvents(context: FetchContext): Promise<FetchPage> {
  const chosen = chosenSources(context.options.sources);
  const { turn: stored, marks: storedMarks } = context.cursor ?? {};
  const turn = typeof stored === 'number' && chosen[stored] !== undefined ? stored : 0;
  const source = chosen[turn] ?? 'audit_log';
  const marks = objectOf(storedMarks);
  const mark = marks[source];
  const own = { ...context, cursor: mark === undefined ? null : objectOf(mark) };
  const page = await (source === 'audit_log' ? fetchAuditLog(own) : fetchAlerts(own, source));
  const nextTurn = page.hasMore ? turn : (turn + 1) % chosen.length;
  return {
    records: page.records,
    cursor: { turn: nextTurn, marks: { ...marks, [source]: page.cursor } },
    hasMore: page.hasMore || nextTurn !== 0,
  };
}

function chosenSources(value: unknown): readonly Source[] {
  const wanted = Array.isArray(value) ? sources.filter((source) => value.includes(source)) : [];
  return wanted.length === 0 ? ['audit_log'] : wanted;
}
