import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { expect, test } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createConnectionTester } from './connection-tester.ts';

const egress: Egress = { send: () => Promise.reject(new Error('Nothing is sent here.')) } as never;

function tested(
  failure?: Error,
  secrets: readonly string[] = [],
  testConnection: unknown = failure && (() => Promise.reject(failure)),
) {
  const definition = {
    name: 'Vendor',
    ...(testConnection === undefined ? {} : { testConnection }),
  } as unknown as ConnectorDefinition;
  const scope = trustedTenantScope('01920000-0000-7000-8000-000000000001');
  const call = { scope, definition, config: {}, secrets, signal: new AbortController().signal };
  return createConnectionTester({ egress, now: () => new Date() })(call);
}

test('a call that did not get through names its reason, or it would be English on every screen', async () => {
  const unknown = refusal('EGRESS_NAME_UNKNOWN', { host: 'vendor.example' });
  expect(await tested(new EgressError('DNS_FAILED', unknown))).toMatchObject({ status: 'error', ...unknown });
  expect(await tested()).toMatchObject({
    status: 'skipped',
    ...refusal('CONNECTOR_NOTHING_TO_TEST', { name: 'Vendor' }),
  });
});

test('what a store would not take is replaced in all a vendor says', async () => {
  expect(await tested(new VendorError('VENDOR_REJECTED', 'No\0 such key.'))).toMatchObject({
    message: 'No\ufffd such key.',
    reason: undefined,
  });
  const testConnection = async () => ({ message: 'As \0', metadata: { 'k\0': ['half \ud800'] } });
  expect(await tested(undefined, [], testConnection)).toMatchObject({
    message: 'As \ufffd',
    metadata: { 'k\ufffd': ['half \ufffd'] },
  });
});

test('what the vendor said is told as it is', async () => {
  const { message, reason } = await tested(new VendorError('VENDOR_REJECTED', 'No such key.'));
  expect([message, reason]).toEqual(['No such key.', undefined]);
});

test('a secret in the name of a host is in neither the sentence nor its parts', async () => {
  const failure = new EgressError('DNS_FAILED', refusal('EGRESS_NAME_UNKNOWN', { host: 's3cr3t-token.example' }));
  expect(JSON.stringify(await tested(failure, ['s3cr3t-token']))).not.toContain('s3cr3t-token');
});
