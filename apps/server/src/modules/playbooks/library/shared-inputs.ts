import type { JsonObject } from '@airdeck/contracts/fields';

/**
 * Inputs that several playbooks ask for, alike in all of them. Their patterns also keep out what could change the meaning of
 * a vendor's query. The examples exist in the sandbox, so that a playbook can be tried as it is.
 */

export const addressInput: JsonObject = {
  type: 'string',
  title: 'Address',
  description: 'IPv4 or IPv6 address outside of your own networks.',
  pattern: '^[0-9A-Fa-f:.]+$',
  minLength: 2,
  maxLength: 45,
  examples: ['203.0.113.7'],
};

export const userInput: JsonObject = {
  type: 'string',
  title: 'User',
  description: 'The name the person signs in with, mostly a mail address.',
  pattern: '^[^\\s"\'\\\\<>]+$',
  maxLength: 100,
  examples: ['ada.dahlmann@larkspur.example'],
};

export const hostInput: JsonObject = {
  type: 'string',
  title: 'Host',
  description: 'Host name, address or device id, as the endpoint protection knows it.',
  pattern: '^[A-Za-z0-9._:-]+$',
  maxLength: 255,
  examples: ['ws-001.larkspur.example'],
};

export const firewallInput: JsonObject = {
  type: 'string',
  title: 'Firewall',
  description: 'Where addresses are blocked. FortiGate when left empty; only PAN-OS takes IPv6 addresses.',
  enum: ['fortigate', 'panos'],
  default: 'fortigate',
};

/** Where the run reports to; every playbook takes these and needs none of them. */
const reportInputs = {
  case_reference: {
    type: 'string',
    title: 'Case',
    description: 'Reference of the case, for tickets and comments.',
    maxLength: 100,
    examples: ['C-1024'],
  },
  open_ticket: {
    type: 'boolean',
    title: 'Open a ticket',
    description: 'In the ticket system this playbook uses.',
    default: true,
  },
  channel: {
    type: 'string',
    title: 'Slack channel',
    description: 'Told how it ended. No message when left empty.',
    maxLength: 82,
    examples: ['#security'],
  },
} satisfies JsonObject;

/** The schema of a playbook's own inputs with those of the report behind them. */
export function inputsOf(own: JsonObject, required: readonly string[]): JsonObject {
  return {
    type: 'object',
    required: [...required],
    properties: { ...own, ...reportInputs },
    additionalProperties: false,
  };
}
