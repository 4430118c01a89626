import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { fetchInTurns } from '../source-turns.ts';
import { lookbackOption } from '../time-keyed-fetch.ts';
import { fetchTrail } from './cloudtrail-events.ts';
import { fetchFindings } from './guardduty-events.ts';

const sources = ['guardduty', 'cloudtrail'] as const;
type Source = (typeof sources)[number];

const names: Readonly<Record<Source, string>> = {
  guardduty: 'Findings of GuardDuty',
  cloudtrail: 'Events of CloudTrail',
};

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
      items: { type: 'string', enum: [...sources], value_names: names },
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

export function fetchAwsEvents(context: FetchContext): Promise<FetchPage> {
  return fetchInTurns(context, {
    chosen: chosenSources(context.options.sources),
    names,
    read: (source, own) => fetchers[source](own),
  });
}

function chosenSources(value: unknown): readonly [Source, ...Source[]] {
  const [first = 'guardduty', ...others] = Array.isArray(value)
    ? sources.filter((source) => value.includes(source))
    : [];
  return [first, ...others];
}
