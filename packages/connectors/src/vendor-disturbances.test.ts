import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from './connector-fixture.ts';
import { github } from './github/github.ts';
import { jira } from './jira/jira.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { sandboxKeys } from './sandbox-fixture.ts';
import { servicenow } from './servicenow/servicenow.ts';
import { slack } from './slack/slack.ts';
import { virustotal } from './virustotal/virustotal.ts';

type Case = {
  readonly definition: ConnectorDefinition;
  readonly config: (url: string) => JsonObject;
  /** Name of the secret's setting. */
  readonly secret: string;
  /** An action that changes something, where there is one, and what it needs. */
  readonly change: readonly [verb: string, input: JsonObject];
  readonly retryAfterS: number | [number, number];
  readonly errorIn200?: string;
};

const cases: readonly Case[] = [
  {
    definition: github,
    config: (url) => ({ base_url: url, organization: 'example-org', token: sandboxKeys.github }),
    secret: 'token',
    change: ['create_issue', { repository: 'app', title: 'x' }],
    retryAfterS: [590, 601],
  },
  {
    definition: virustotal,
    config: (url) => ({ base_url: url, api_key: sandboxKeys.virustotal }),
    secret: 'api_key',
    change: ['scan_url', { url: 'https://www.example.com/' }],
    retryAfterS: 60,
    errorIn200: 'VENDOR_UNAVAILABLE',
  },
  {
    definition: slack,
    config: (url) => ({ base_url: url, bot_token: sandboxKeys.slack }),
    secret: 'bot_token',
    change: ['post_message', { channel: '#alerts', text: 'x' }],
    retryAfterS: 30,
    errorIn200: 'VENDOR_UNAVAILABLE',
  },
  {
    definition: jira,
    config: (url) => ({ base_url: url, email: 'analyst@example.com', api_token: sandboxKeys.jira, project: 'SEC' }),
    secret: 'api_token',
    change: ['create_issue', { summary: 'x' }],
    retryAfterS: 17,
    errorIn200: 'VENDOR_REJECTED',
  },
  {
    definition: servicenow,
    config: (url) => ({ base_url: url, username: 'integration', password: sandboxKeys.servicenow }),
    secret: 'password',
    change: ['create_incident', { short_description: 'x' }],
    retryAfterS: 42,
    errorIn200: 'VENDOR_REJECTED',
  },
  {
    definition: pagerduty,
    config: (url) => ({ base_url: url, routing_key: sandboxKeys.pagerduty, api_token: sandboxKeys.pagerduty }),
    secret: 'api_token',
    change: ['trigger', { summary: 'x', source: 'host', severity: 'error' }],
    retryAfterS: 8,
    errorIn200: 'VENDOR_REJECTED',
  },
];

const kinds: readonly (readonly [DisturbanceKind, string])[] = [
  ['unauthorized', 'VENDOR_CREDENTIALS_REFUSED'],
  ['forbidden', 'VENDOR_PERMISSION_MISSING'],
  ['rate_limited', 'VENDOR_RATE_LIMITED'],
  ['unavailable', 'VENDOR_UNAVAILABLE'],
  ['html', 'VENDOR_ANSWER_UNREADABLE'],
  ['cut_json', 'VENDOR_ANSWER_UNREADABLE'],
  ['redirect', 'REDIRECT_REFUSED'],
];

describe.each(cases)('$definition.name', ({ definition, config, secret, change, retryAfterS, errorIn200 }) => {
  const connector = useConnector(definition, config);
  const [verb, input] = change;

  it.each(kinds)('turns %s into %s, without the secret and without a change', async (kind, code) => {
    await connector.testConnection();
    const before = JSON.stringify(connector.state());
    for (const work of [() => connector.testConnection(), () => connector.run(verb, input)]) {
      connector.disturb(kind);
      const failure = await vendorFailure(work());
      expect(failure?.code).toBe(code);
      expect(JSON.stringify(failure)).not.toContain('key-for-tests');
    }
    expect(JSON.stringify(connector.state())).toBe(before);
  });

  it('is told how long to wait', async () => {
    connector.disturb('rate_limited');
    const failure = await vendorFailure(connector.run(verb, input));
    const [from, to] = typeof retryAfterS === 'number' ? [retryAfterS, retryAfterS] : retryAfterS;
    expect(failure).toMatchObject({ code: 'VENDOR_RATE_LIMITED', retryable: true });
    expect(failure?.retry_after_s).toBeGreaterThanOrEqual(from);
    expect(failure?.retry_after_s).toBeLessThanOrEqual(to);
  });

  it.skipIf(errorIn200 === undefined)('does not take a failure inside HTTP 200 for success', async () => {
    connector.disturb('error_in_200');
    expect((await vendorFailure(connector.run(verb, input)))?.code).toBe(errorIn200);
  });

  it('refuses a wrong secret without saying it', async () => {
    const wrong = { [secret]: 'wrong-secret-of-a-tenant' };
    const failure = await vendorFailure(connector.testConnection(wrong));
    expect(failure?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
    expect(JSON.stringify(failure)).not.toContain('wrong-secret-of-a-tenant');
    expect(JSON.stringify(failure)).not.toContain(
      Buffer.from('wrong-secret-of-a-tenant').toString('base64').slice(4, 24),
    );
  });

  it('stops when told to, without waiting for a slow vendor', async () => {
    connector.disturb('slow', { delay_ms: 3000 });
    const parts = { signal: AbortSignal.timeout(50) };
    expect((await vendorFailure(connector.testConnection({}, parts)))?.code).toBe('ABORTED');
  });

  it('changes nothing by a connection test', async () => {
    await connector.testConnection();
    const before = JSON.stringify(connector.state());
    const { message } = await connector.testConnection();
    expect(message.length).toBeGreaterThan(10);
    expect(JSON.stringify(connector.state())).toBe(before);
    expect(connector.calls().every((call) => call.startsWith('GET '))).toBe(true);
  });

  it('asks before a call that changes something, and not before one that reads', async () => {
    let marks = 0;
    const marked = withCallMark(connector.egress(), async () => {
      marks += 1;
    });
    await connector.testConnection({}, { egress: marked });
    expect(marks).toBe(0);
    await connector.run(verb, input, {}, { egress: marked });
    expect(marks).toBeGreaterThan(0);
  });
});
