import { actionFactory } from '../vendor-action.ts';

export const virustotalOwner = { definition_id: 'virustotal', vendor: 'VirusTotal', product: 'VirusTotal' } as const;

export const virustotalAction = actionFactory(virustotalOwner);
