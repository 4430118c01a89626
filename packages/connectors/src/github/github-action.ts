import { actionFactory } from '../vendor-action.ts';

export const githubOwner = { definition_id: 'github', vendor: 'GitHub', product: 'GitHub' } as const;

export const githubAction = actionFactory(githubOwner);
