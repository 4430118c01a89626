import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '../answer-fields.ts';
import { lookbackOption } from '../time-keyed-fetch.ts';
import { fetchTrail } from './cloudtrail-events.ts';
import { fetchFindings } from './guardduty-events.ts';

const sources = ['guardduty', 'cloudtrail'] as const;
type Source = (typeof sources)[number];

const fetchers: Readonly<Record<Source, (context: FetchContext) => Promise<FetchPage>>> = {
  guardduty: fetchFindings,
  cloudtrail: fetchTrail,
};

export const awsEventOptions: JsonObject = {
  type: 'object',
  title: 'Events of AWS',
  additionalProperties: false,
  properties: {
    sources: {
      type: 'array',
      title: 'Sources',
      description: 'Findings of GuardDuty, and the management events of CloudTrail.',
      items: { type: 'string', enum: [...sources] },
      minItems: 1,
      maxItems: sources.length,
      uniqueItems: true,
      default: ['guardduty'],
    },
    min_severity: {
      type: 'integer',
      title: 'Findings of severity at least',
      description: 'From 1 to 10. Empty: all.',
      minimum: 1,
      maximum: 10,
    },
    lookback_hours: lookbackOption,
  },
};

/**
 * One page of one source per call; the sources take turns within a round. Cursor: whose turn it is, and the cursor of each
 * source.
 */
export async function fetchAwsEvents(context: FetchContext): Promise<FetchPage> {
  const chosen = chosenSources(context.options.sources);
  const { turn: stored, marks: storedMarks } = context.cursor ?? {};
  const turn = typeof stored === 'number' && chosen[stored] !== undefined ? stored : 0;
  const source = chosen[turn] ?? 'guardduty';
  const marks = objectOf(storedMarks);
  const mark = marks[source];
  const page = await fetchers[source]({ ...context, cursor: mark === undefined ? null : objectOf(mark) });
  const nextTurn = page.hasMore ? turn : (turn + 1) % chosen.length;
  return {
    records: page.records,
    cursor: { turn: nextTurn, marks: { ...marks, [source]: page.cursor } },
    hasMore: page.hasMore || nextTurn !== 0,
  };
}

function chosenSources(value: unknown): readonly Source[] {
  const wanted = Array.isArray(value) ? sources.filter((source) => value.includes(source)) : [];
  return wanted.length === 0 ? ['guardduty'] : wanted;
}
