import type { JsonObject } from '@airdeck/contracts/fields';
import { actionFactory } from '../vendor-action.ts';

export const GRAYLOG_OWNER = { definition_id: 'graylog', vendor: 'Graylog', product: 'Graylog' } as const;

export const graylogAction = actionFactory(GRAYLOG_OWNER);

export const nullableText: JsonObject = { type: ['string', 'null'] };

export const priorityOutput: JsonObject = {
  type: ['integer', 'null'],
  description: '1 high, 2 medium, 3 low; turned round from what Graylog has.',
};
