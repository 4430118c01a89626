import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';

/** Looks the address up, asks the analyst, blocks it on the firewall. Started by policies that group by address. */
export const blockGuessingAddress: PlaybookDefinition = {
  metadata: {
    name: 'Block a guessing address',
    description: 'Looks the address up, asks an analyst, and blocks it on the firewall when the answer is Block.',
    author: 'AIRdeck',
    updated_by: 'AIRdeck',
  },
  inputs: {
    type: 'object',
    required: ['ip'],
    properties: {
      ip: {
        type: 'string',
        title: 'Address',
        description: 'The address to look up and block',
        examples: ['203.0.113.7'],
      },
      case_reference: {
        type: 'string',
        title: 'Case',
        description: 'Reference of the case, for the comment on the firewall',
        examples: ['C-1024'],
      },
    },
    additionalProperties: false,
  },
  actions: [
    {
      id: 'lookup',
      kind: 'action',
      action: 'abuseipdb.check_ip',
      connector_id: null,
      input: { ip: '{{ inputs.ip }}' },
      retry: { max_attempts: 3, backoff_s: 2 },
      timeout_s: 30,
      // The question is asked even when the reputation service is down.
      on_error: 'continue',
    },
    {
      id: 'approve',
      kind: 'prompt',
      depends_on: ['lookup'],
      message: 'Block {{ inputs.ip }} on the firewall?',
      options: [
        { value: 'block', label: 'Block', style: 'danger' },
        { value: 'ignore', label: 'Leave it', style: 'default' },
      ],
      approvers: { role: 'Analyst' },
      expires_in_s: 86_400,
      default_option: 'ignore',
    },
    {
      id: 'block',
      kind: 'action',
      depends_on: ['approve'],
      when: "actions.approve.output.option == 'block'",
      action: 'fortigate.block_address',
      connector_id: null,
      input: {
        address: '{{ inputs.ip }}',
        // Started by hand there is no case.
        comment: "{{ has(inputs.case_reference) ? inputs.case_reference : '' }}",
      },
      retry: { max_attempts: 3, backoff_s: 2 },
      timeout_s: 30,
    },
  ],
  outputs: { blocked: "{{ actions.block.status == 'success' }}" },
  exec_options: { max_concurrent_actions: 4, timeout_s: 172_800 },
};
