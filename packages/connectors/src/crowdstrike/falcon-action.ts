import { actionFactory } from '../vendor-action.ts';

export const FALCON_OWNER = { definition_id: 'crowdstrike', vendor: 'CrowdStrike', product: 'Falcon' } as const;

export const falconAction = actionFactory(FALCON_OWNER);
