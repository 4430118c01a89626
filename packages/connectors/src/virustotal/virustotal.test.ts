import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { virustotal } from './virustotal.ts';
import { urlId } from './virustotal-url.ts';

const EICAR = '44d88612fea8a8f36de82e1278abb02f';
const shared = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data');
const realAnswer = join(shared, 'vendor-fixtures', 'virustotal_file.json');

describe('VirusTotal against the sandbox', () => {
  const connector = useConnector(virustotal, (url) => ({ base_url: url, api_key: sandboxKeys.virustotal }));
  const { run, calls } = connector;

  it('gives the verdicts on a file by its hash', async () => {
    expect(await run('file_report', { hash: EICAR.toUpperCase() })).toMatchObject({
      found: true,
      malicious: 5,
      name: 'eicar.com',
      size_bytes: 68,
      threat_label: 'virus.eicar/test',
      verdicts: expect.arrayContaining([{ engine: 'Virgo', category: 'malicious', result: 'malicious' }]),
    });
  });

  it('takes what was never seen for a finding, not a failure', async () => {
    expect(await run('file_report', { hash: `${'a'.repeat(63)}0` })).toMatchObject({
      found: false,
      malicious: 0,
      verdicts: [],
      sha256: null,
    });
    expect((await run('domain_report', { domain: 'unknown.example.com' })).found).toBe(false);
    expect((await run('url_report', { url: 'https://unknown.example.com/' })).found).toBe(false);
  });

  it('does not take a wrong address for "never seen"', async () => {
    const wrong = { base_url: `${connector.url()}/nothing-here` };
    expect(await vendorFailure(run('file_report', { hash: EICAR }, wrong))).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
  });

  it('reports on addresses, domains and URLs', async () => {
    expect(await run('ip_report', { ip: '203.0.113.7' })).toMatchObject({ found: true, malicious: 4, asn: 64_496 });
    expect(await run('ip_report', { ip: '2001:db8::7' })).toMatchObject({ found: true });
    expect(await run('domain_report', { domain: 'Phish.Example.com' })).toMatchObject({
      malicious: 4,
      registrar: 'Example Registrar',
    });
    expect(await run('url_report', { url: 'https://evil.example.com/a?b=ü' })).toMatchObject({
      found: true,
      suspicious: 1,
    });
  });

  it('submits a URL and follows its analysis', async () => {
    const url = 'https://phish.example.com/login?next=%2F';
    const { analysis_id } = await run('scan_url', { url });
    expect(await run('get_analysis', { analysis_id })).toMatchObject({ status: 'completed', malicious: 4 });
    expect(connector.state().scanned).toEqual([url]);
  });

  it.each<[string, JsonObject]>([
    ['file_report', { hash: 'abc' }],
    ['file_report', { hash: `${EICAR}/../../users` }],
    ['ip_report', { ip: '203.0.113.7/24' }],
    ['domain_report', { domain: '../files' }],
    ['domain_report', { domain: 'a b.example' }],
    ['domain_report', { domain: `${'a'.repeat(64)}.example` }],
    ['url_report', { url: 'ftp://example.com/' }],
    ['url_report', { url: 'https://example.com/\r\nx' }],
    ['scan_url', { url: `https://example.com/${'a'.repeat(5000)}` }],
    ['scan_url', { url: 'javascript:alert(1)' }],
    ['get_analysis', { analysis_id: 'a/../b' }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });

  it('knows a URL by the id VirusTotal publishes: base64url without padding', () => {
    expect(urlId('http://www.example.com/')).toBe('aHR0cDovL3d3dy5leGFtcGxlLmNvbS8');
  });

  it.skipIf(!existsSync(realAnswer))('reads a real answer (needs AIRDECK_SHARED_DATA)', async () => {
    const text = JSON.stringify({ data: JSON.parse(readFileSync(realAnswer, 'utf8')) as unknown });
    const egress = { request: async () => ({ status: 200, headers: {}, text, retryAfterS: undefined }) };
    const report = await run('file_report', { hash: EICAR }, {}, { egress });
    expect(report).toMatchObject({
      found: true,
      type: expect.any(String),
      last_analysis_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(Number(report.malicious) + Number(report.undetected)).toBeGreaterThan(10);
    expect((report.verdicts as unknown[]).length).toBe(
      Math.min(Number(report.malicious) + Number(report.suspicious), 100),
    );
  });

  it('survives an answer of the right shape with wrong types', async () => {
    const data = {
      type: 'file',
      id: 7,
      attributes: { last_analysis_stats: [], last_analysis_results: 'x', tags: { a: 1 }, last_analysis_date: 1e300 },
    };
    const egress = {
      request: async () => ({ status: 200, headers: {}, text: JSON.stringify({ data }), retryAfterS: undefined }),
    };
    expect(await run('file_report', { hash: EICAR }, {}, { egress })).toMatchObject({
      found: true,
      id: null,
      tags: [],
      verdicts: [],
      last_analysis_at: null,
    });
  });
});
