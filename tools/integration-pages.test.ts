import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { describe, expect, it } from 'vitest';
import { integrationIndex, integrationPage } from './integration-pages.ts';

const definition: ConnectorDefinition = {
  definition_id: 'example',
  vendor: 'Example',
  product: 'Service',
  version: '1',
  name: 'Example',
  description: 'An <b>example</b>.',
  visible: true,
  category: 'threat_intelligence',
  config_schema: {
    type: 'object',
    required: ['key'],
    properties: {
      key: { type: 'string', title: 'API key', description: 'Of your\naccount', secret: true },
      mode: { type: 'string', enum: ['a|b', 'c'], default: 'c' },
    },
  },
  documentation: {
    url: 'https://docs.example.net',
    setup: ['Open the page.'],
    permissions: ['logs.read'],
    notes: ['It is slow.'],
  },
  unconfirmed: ['The vendor answers 429.'],
  capabilities: ['actions'],
  actions: [
    {
      action_id: 'example.remove',
      definition_id: 'example',
      friendly_name: 'Remove',
      description: 'Removes it.',
      vendor: 'Example',
      product: 'Service',
      input_schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      output_schema: { type: 'object' },
      effect: 'destroys',
      requires_connector: true,
      timeout_s: 30,
      idempotent: false,
      run: async () => ({}),
    },
  ],
};

describe('the page of a connector', () => {
  const page = integrationPage(definition);

  it('says what is not confirmed, under a heading of its own', () => {
    expect(page).toContain('## Not confirmed\n');
    expect(page).toContain('- The vendor answers 429.');
    expect(integrationPage({ ...definition, unconfirmed: [] })).not.toContain('Not confirmed');
  });

  it('has no heading without anything below it', () => {
    const options = {
      event_options_schema: { type: 'object' },
      metric_options_schema: { type: 'object', properties: {} },
    };
    const empty = integrationPage({ ...definition, ...options, actions: [] });
    expect(empty).not.toMatch(/## (Events|Metrics|Actions)/);
    const events = { ...options, event_options_schema: { properties: { query: { type: 'string' } } } };
    expect(integrationPage({ ...definition, ...events })).toMatch(/## Events\n\n\| Name/);
  });

  it('marks secrets and never opens a tag or breaks a table', () => {
    expect(page).toContain('| `key` | secret | yes | API key. Of your account. |');
    expect(page).toContain('| `mode` | `a\\|b`, `c` |  | Default `c`. |');
    expect(page).toContain('An &lt;b>example&lt;/b>.');
  });

  it('says what each action may do', () => {
    expect(page).toContain('`example.remove` – Removes it. Destroys something at the vendor');
    expect(page).toContain('Is not repeated when its outcome is unknown. At most 30 s.');
  });

  it('is found from the index', () => {
    const index = integrationIndex([definition]);
    expect(index).toContain('1 integrations with 1 actions.');
    expect(index).toContain('| [Example](example.md) | threat intelligence |  | 1 | see its page |');
  });
});
