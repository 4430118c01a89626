import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { cloudStarters } from './starters/cloud-starters.ts';
import { identityStarters } from './starters/identity-starters.ts';
import { linuxStarters } from './starters/linux-starters.ts';
import { networkStarters } from './starters/network-starters.ts';
import { windowsStarters } from './starters/windows-starters.ts';

/** Policies that are on in every new workspace; written for this product, like all that are shipped. */
export const starterPolicies: readonly PolicyRule[] = [
  {
    name: 'SSH password guessing',
    description:
      'One address fails to sign in over SSH again and again. Typical of scanners that try passwords, and of a worm that has just found the host.\n\nMITRE ATT&CK: T1110.001 Brute Force: Password Guessing (Credential Access).',
    type: 'custom',
    severity: 'high',
    techniques: ['T1110.001'],
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [
        { field: 'action', operator: 'equals', value: 'login' },
        { field: 'outcome', operator: 'equals', value: 'failure' },
      ],
      group_by: ['src_ip'],
      threshold: { count: 5, within_s: 300 },
      source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
    },
  },
  {
    name: 'Okta repeated sign-in failures',
    description:
      'Several Okta sign-ins of one user fail within ten minutes: a forgotten password, or somebody who tries them.\n\nMITRE ATT&CK: T1110 Brute Force (Credential Access).',
    type: 'custom',
    severity: 'medium',
    techniques: ['T1110'],
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [
        { field: 'action', operator: 'equals', value: 'login' },
        { field: 'outcome', operator: 'equals', value: 'failure' },
      ],
      group_by: ['user'],
      threshold: { count: 6, within_s: 600 },
      suppress_for_s: 1800,
      source: { source_type: 'log', connector_definition_id: 'okta', event_type: '' },
    },
  },
  {
    name: 'Okta password spray',
    description:
      'One address fails to sign in as many different users. A few guesses per user stay below lock-out; seen together they are an attack.\n\nMITRE ATT&CK: T1110.003 Brute Force: Password Spraying (Credential Access).',
    type: 'custom',
    severity: 'high',
    techniques: ['T1110.003'],
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [
        { field: 'action', operator: 'equals', value: 'login' },
        { field: 'outcome', operator: 'equals', value: 'failure' },
      ],
      group_by: ['src_ip'],
      threshold: { count: 8, within_s: 900, distinct_field: 'user' },
      suppress_for_s: 1800,
      source: { source_type: 'log', connector_definition_id: 'okta', event_type: '' },
    },
  },
  {
    name: 'Firewall denied burst',
    description:
      'The firewall turns one address away many times within a minute: a port scan or a program that looks for a way out.\n\nMITRE ATT&CK: T1046 Network Service Discovery (Discovery).',
    type: 'custom',
    severity: 'low',
    techniques: ['T1046'],
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [
        { field: 'action', operator: 'in', value: ['deny', 'denied', 'block', 'blocked', 'drop', 'dropped'] },
      ],
      group_by: ['src_ip'],
      threshold: { count: 50, within_s: 60 },
      suppress_for_s: 3600,
      source: { source_type: 'log', connector_definition_id: 'fortigate', event_type: '' },
    },
  },
];

/** Policies that are there in every new workspace, switched off: which of them fit is for the workspace to say. */
export const furtherPolicies: readonly PolicyRule[] = [
  ...linuxStarters,
  ...windowsStarters,
  ...identityStarters,
  ...cloudStarters,
  ...networkStarters,
];
