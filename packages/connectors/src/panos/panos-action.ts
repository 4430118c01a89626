import { actionFactory } from '../vendor-action.ts';

export const panosOwner = { definition_id: 'panos', vendor: 'Palo Alto Networks', product: 'PAN-OS' } as const;

export const panosAction = actionFactory(panosOwner);
