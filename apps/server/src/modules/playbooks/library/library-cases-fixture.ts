/** What each playbook is started with, how its question is answered, and what must have come of it at the vendors. */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Disturbance } from '@airdeck/simulator/sandbox/disturbances';
import type { ShippedPlaybook } from './shipped-playbooks.ts';

/** All of them exist in the sandbox. */
export const ADA = 'ada.dahlmann@larkspur.example';
export const BO = 'bo.estrup@larkspur.example';
export const HOST = 'ws-001.larkspur.example';
export const SECOND_HOST = 'ws-002.larkspur.example';
export const ATTACKER = '203.0.113.7';
export const EICAR = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
export const report = { case_reference: 'C-7', channel: '#security' };

export type LibraryCase = {
  inputs: JsonObject;
  option: string;
  /** Without what is posted to Slack. */
  effects: string[];
  outputs: JsonObject;
  /** A vendor that refuses; what fails by it, and which of the effects are missing then. */
  refusal: { by: Pick<Disturbance, 'vendor' | 'path'>; failed: string[]; missing: RegExp };
};

/** The two that are missing here go another way than the others, and are tested one by one. */
export const libraryCases: Readonly<
  Record<Exclude<ShippedPlaybook, 'block-guessing-address' | 'vulnerable-host-ticket'>, LibraryCase>
> = {
  'brute-force-block': {
    inputs: { ip: ATTACKER, user: ADA, got_in: true, ...report },
    option: 'block',
    effects: [
      `fortigate blocks airdeck-${ATTACKER}`,
      `jira Brute force from ${ATTACKER} against ${ADA}`,
      `okta ${ADA} is PASSWORD_EXPIRED`,
      `okta ${ADA} is signed out`,
    ],
    outputs: { blocked: true, account_protected: true, failed: [], ticket: 'SEC-' },
    refusal: { by: { vendor: 'fortigate' }, failed: ['block_fortigate'], missing: /^fortigate/ },
  },
  'data-exfiltration': {
    inputs: { host: HOST, ip: ATTACKER, user: ADA, megabytes: 5120, firewall: 'panos', ...report },
    option: 'contain',
    effects: [
      `entra ${ADA} is locked`,
      `entra ${ADA} is signed out`,
      `falcon isolates ${HOST}`,
      `pagerduty ${HOST} sent 5120 MB to ${ATTACKER}, triggered`,
      `panos blocks ${ATTACKER}`,
      `servicenow Data sent to ${ATTACKER}`,
    ],
    outputs: { decision: 'contain', blocked: true, isolated: true, locked: true, failed: [], ticket: 'INC' },
    refusal: { by: { vendor: 'panos' }, failed: ['block_panos'], missing: /^panos/ },
  },
  'exposed-cloud-key': {
    inputs: { iam_user: 'deploy-bot', access_key_id: 'AKIAI44QH8DHBEXAMPLE', repository: 'app', ...report },
    option: 'lock',
    effects: [
      'aws deploy-bot is locked',
      'aws key AKIAI44QH8DHBEXAMPLE is inactive',
      'github issue Take an access key out of this repository',
      'jira Exposed access key of deploy-bot',
    ],
    outputs: { calls_with_key: 0, deactivated: true, locked: true, failed: [], ticket: 'SEC-' },
    refusal: { by: { vendor: 'aws' }, failed: ['deactivate', 'lock'], missing: /^aws/ },
  },
  'impossible-travel': {
    inputs: { user: ADA, ip: ATTACKER, ...report },
    option: 'lock',
    effects: [
      `entra ${ADA} is compromised`,
      `entra ${ADA} is locked`,
      `entra ${ADA} is signed out`,
      `servicenow Impossible travel of ${ADA}`,
    ],
    outputs: { decision: 'lock', sessions_ended: true, locked: true, failed: [], ticket: 'INC' },
    refusal: {
      by: { vendor: 'microsoft_graph', path: '/v1.0/identityProtection' },
      failed: ['mark_compromised'],
      missing: /compromised$/,
    },
  },
  'lost-device': {
    inputs: { user: ADA, host: HOST, ...report },
    option: 'stolen',
    effects: [
      `entra ${ADA} is signed out`,
      `falcon isolates ${HOST}`,
      `okta ${ADA} is PASSWORD_EXPIRED`,
      `okta ${ADA} is signed out`,
      `servicenow Device ${HOST} is gone`,
    ],
    outputs: { decision: 'stolen', isolated: true, sessions_ended: true, failed: [], ticket: 'INC' },
    refusal: {
      by: { vendor: 'crowdstrike', path: '/devices' },
      failed: ['isolate'],
      missing: /^falcon/,
    },
  },
  'malware-hash': {
    inputs: { hash: EICAR, host: HOST, ...report },
    option: 'isolate',
    effects: [`falcon isolates ${HOST}`, `falcon prevents ${EICAR}`, `jira Malware ${EICAR}`],
    outputs: { engines: 5, is_clean: false, blocked: true, isolated: true, failed: [], ticket: 'SEC-' },
    refusal: { by: { vendor: 'crowdstrike', path: '/iocs' }, failed: ['prevent'], missing: /^falcon prevents/ },
  },
  'new-admin-review': {
    inputs: { user: BO, group: 'Finance', granted_by: ADA, github_user: 'ada-abend', ...report },
    option: 'suspend',
    effects: [
      'github without ada-abend',
      `jira New administrator ${BO}`,
      `okta ${BO} is SUSPENDED`,
      `okta ${BO} is signed out`,
      `okta ${BO} left Finance`,
    ],
    outputs: { decision: 'suspend', taken_away: true, suspended: true, failed: [], ticket: 'SEC-' },
    refusal: { by: { vendor: 'github' }, failed: ['remove_from_github'], missing: /^github/ },
  },
  'password-spray': {
    inputs: { ip: ATTACKER, users: [ADA, BO], ...report },
    option: 'contain',
    effects: [
      `fortigate blocks airdeck-${ATTACKER}`,
      `jira Password spray from ${ATTACKER}`,
      `okta ${ADA} is PASSWORD_EXPIRED`,
      `okta ${ADA} is signed out`,
      `okta ${BO} is PASSWORD_EXPIRED`,
      `okta ${BO} is signed out`,
    ],
    outputs: { blocked: true, accounts_protected: 2, failed: [], ticket: 'SEC-' },
    refusal: { by: { vendor: 'fortigate' }, failed: ['block_fortigate'], missing: /^fortigate/ },
  },
  'phishing-triage': {
    inputs: {
      user: ADA,
      url: 'https://login.example@phish.login-check.example:8443/office?id=1',
      attachment_hash: EICAR,
      was_opened: true,
      ...report,
    },
    option: 'contain',
    effects: [
      `entra ${ADA} is signed out`,
      'falcon detects phish.login-check.example',
      `falcon prevents ${EICAR}`,
      `jira Phishing mail to ${ADA}`,
    ],
    outputs: { verdict: 'contain', engines_against_link: 4, contained: true, failed: [], ticket: 'SEC-' },
    refusal: {
      by: { vendor: 'crowdstrike', path: '/iocs' },
      failed: ['block_domain', 'block_file'],
      missing: /^falcon/,
    },
  },
  'ransomware-containment': {
    inputs: { hosts: [HOST, SECOND_HOST], user: ADA, ip: ATTACKER, ...report },
    option: 'isolate',
    effects: [
      `entra ${ADA} is locked`,
      `entra ${ADA} is signed out`,
      `falcon isolates ${HOST}`,
      `falcon isolates ${SECOND_HOST}`,
      `fortigate blocks airdeck-${ATTACKER}`,
      `pagerduty Signs of ransomware on ${HOST} and 1 more, triggered`,
      'servicenow Ransomware on 2 hosts',
    ],
    outputs: { isolated: [HOST, SECOND_HOST], locked: true, blocked: true, failed: [], ticket: 'INC' },
    refusal: { by: { vendor: 'fortigate' }, failed: ['block_fortigate'], missing: /^fortigate/ },
  },
  'suspicious-inbox-rule': {
    inputs: { user: ADA, rule_name: '.', ...report },
    option: 'contain',
    effects: [`entra ${ADA} is compromised`, `entra ${ADA} is signed out`, `servicenow Inbox rule of ${ADA}`],
    outputs: { decision: 'contain', sessions_ended: true, failed: [], ticket: 'INC' },
    refusal: {
      by: { vendor: 'microsoft_graph', path: '/v1.0/identityProtection' },
      failed: ['mark_compromised'],
      missing: /compromised$/,
    },
  },
};
