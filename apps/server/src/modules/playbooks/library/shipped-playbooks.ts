import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { blockGuessingAddress } from '../starter-playbooks.ts';
import { bruteForceBlock } from './brute-force-block.ts';
import { dataExfiltration } from './data-exfiltration.ts';
import { exposedCloudKey } from './exposed-cloud-key.ts';
import { impossibleTravel } from './impossible-travel.ts';
import { lostDevice } from './lost-device.ts';
import { malwareHash } from './malware-hash.ts';
import { newAdminReview } from './new-admin-review.ts';
import { passwordSpray } from './password-spray.ts';
import { phishingTriage } from './phishing-triage.ts';
import { ransomwareContainment } from './ransomware-containment.ts';
import { suspiciousInboxRule } from './suspicious-inbox-rule.ts';
import { vulnerableHostTicket } from './vulnerable-host-ticket.ts';

/** The library of the product by key. A key never changes: the id a tenant's copy gets is made of it. */
export const shippedPlaybooks = {
  'block-guessing-address': blockGuessingAddress,
  'brute-force-block': bruteForceBlock,
  'data-exfiltration': dataExfiltration,
  'exposed-cloud-key': exposedCloudKey,
  'impossible-travel': impossibleTravel,
  'lost-device': lostDevice,
  'malware-hash': malwareHash,
  'new-admin-review': newAdminReview,
  'password-spray': passwordSpray,
  'phishing-triage': phishingTriage,
  'ransomware-containment': ransomwareContainment,
  'suspicious-inbox-rule': suspiciousInboxRule,
  'vulnerable-host-ticket': vulnerableHostTicket,
} as const satisfies Readonly<Record<string, PlaybookDefinition>>;

export type ShippedPlaybook = keyof typeof shippedPlaybooks;
