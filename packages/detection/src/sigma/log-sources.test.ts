import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compilePolicies, evaluate } from '../policy-set.ts';
import { testEvent } from '../test-event.ts';
import { mapLogSource } from './log-sources.ts';
import { importSigma } from './sigma-import.ts';

/** Each as `integration:event_type`. */
function sourcesFor(logSource: Partial<Parameters<typeof mapLogSource>[0]>): string[] {
  const mapped = mapLogSource({ product: '', category: '', service: '', ...logSource });
  if (mapped === undefined) throw new Error('no source');
  const { also = [], ...first } = mapped.source;
  return [first, ...also].map((one) => `${one.connector_definition_id}:${one.event_type}`);
}

test.each([
  [{ product: 'linux', category: 'process_creation' }, ['sysmon:process', 'linux:']],
  [{ product: 'linux', category: 'file_event' }, ['sysmon:file', 'linux:']],
  [{ product: 'linux', category: 'network_connection' }, ['sysmon:network', 'linux:']],
  [{ product: 'linux', service: 'auditd' }, ['auditd:']],
  [{ product: 'linux', category: 'process_creation', service: 'auditd' }, ['auditd:']],
  [{ product: 'zeek', service: 'dns' }, ['zeek:dns']],
  [{ product: 'azure', service: 'nothing_known' }, ['azure:', 'entra_id:']],
  [{ category: 'dns' }, ['dns:', 'zeek:dns']],
  [{ service: 'acme' }, ['acme:']],
])('%j is looked for in %j', (logSource, sources) => {
  expect(sourcesFor(logSource)).toEqual(sources);
});

test.each([{ product: 'linux' }, { product: 'linux', category: 'webserver' }, { product: 'linux', service: 'vsftpd' }])(
  '%j may be in any log of Linux',
  (logSource) => {
    expect(sourcesFor(logSource)).toEqual(expect.arrayContaining(['syslog:', 'auditd:', 'sshd:', 'linux:']));
  },
);

const rules = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'sigma/rules');
const wget = resolve(rules, 'proc_creation_lnx_wget_download_suspicious_directory.yml');
const isThere = existsSync(wget);

describe.skipIf(!isThere)(`a published rule${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`, () => {
  test('about processes of Linux fires on what Sysmon writes there', () => {
    const [outcome] = importSigma([{ name: 'wget.yml', text: readFileSync(wget, 'utf8') }]);
    if (outcome?.status !== 'imported') throw new Error(outcome?.reason);
    const set = compilePolicies([{ id: 'p', rule: outcome.policy }]);
    const hits = (CommandLine: string) =>
      evaluate(
        set,
        testEvent({
          ...{ integration: 'sysmon', event_type: 'process', action: 'start_process', outcome: 'success' },
          fields: { EventID: 1, Channel: 'Linux-Sysmon/Operational', Image: '/usr/bin/wget', CommandLine },
        }),
      ).length;
    expect(hits('wget -O /tmp/x http://203.0.113.7/x')).toBe(1);
    expect(hits('wget -O /srv/x http://203.0.113.7/x')).toBe(0);
  });
});
