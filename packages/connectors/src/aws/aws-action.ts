import type { JsonObject } from '@airdeck/contracts/fields';
import { actionFactory } from '../vendor-action.ts';

export const awsOwner = { definition_id: 'aws', vendor: 'Amazon Web Services', product: 'AWS' } as const;

export const awsAction = actionFactory(awsOwner);

export const nullableText: JsonObject = { type: ['string', 'null'] };
