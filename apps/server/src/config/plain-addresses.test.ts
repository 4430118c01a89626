import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

const plain = (variables: Record<string, string>) => readConfig(variables, '0.0.0').plainAddresses;

it.each([
  ['DATABASE_URL', 'postgresql://a:secret@db.example.internal:5432/airdeck'],
  ['DATABASE_URL', 'postgres://a:secret@192.0.2.10/airdeck?sslmode=disable'],
  ['DATABASE_URL', 'postgresql://a:secret@localhost.example.com/airdeck'],
  ['DATABASE_URL', 'postgresql://a:secret@localhost/airdeck?host=db.example.internal'],
  ['EVENTS_URL', 'http://a:secret@events.example.internal:8123/airdeck'],
  ['EVENTS_URL', 'http://a:secret@127.example.com:8123/airdeck'],
  ['FILES_URL', 's3://key:secret@files.example.internal:9000/airdeck?tls=false'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.example.internal:4318'],
  ['CLAMD_URL', 'tcp://clamd.example.internal:3310'],
  ['CLAMD_URL', 'tcp://[2001:db8::5]'],
])('%s with %s is told as read by everybody on the way, by its name only', (variable, address) => {
  expect(plain({ [variable]: address })).toEqual([variable]);
});

it.each([
  ['DATABASE_URL', 'postgresql://a:secret@db.example.internal:5432/airdeck?sslmode=verify-full'],
  ['DATABASE_URL', 'postgresql://a:secret@db.example.internal:5432/airdeck?ssl=true'],
  ['DATABASE_URL', 'postgresql://a:secret@localhost:5432/airdeck'],
  ['DATABASE_URL', 'postgresql://a:secret@[::1]:5432/airdeck'],
  ['DATABASE_URL', 'postgresql://a:secret@localhost/airdeck?host=/run/postgresql'],
  ['EVENTS_URL', 'https://a:secret@events.example.internal:8443/airdeck'],
  ['EVENTS_URL', 'http://a:secret@127.0.0.1:8123/airdeck'],
  ['FILES_URL', 's3://key:secret@files.example.internal/airdeck'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.internal:4318'],
  ['CLAMD_URL', 'tcp://127.0.0.1:3310'],
  ['CLAMD_URL', 'tcp://[::1]:3310'],
  ['CLAMD_URL', 'unix:/run/clamav/clamd.ctl'],
])('%s with %s is encrypted, or never leaves the machine', (variable, address) => {
  expect(plain({ [variable]: address })).toEqual([]);
});

it('is silent where the operator says that the network between is trusted, and where there are no addresses', () => {
  const EVENTS_URL = 'http://a:secret@events.example.internal:8123/airdeck';
  expect(plain({ EVENTS_URL, TRUSTED_STORE_NETWORK: 'true' })).toEqual([]);
  expect(plain({ EVENTS_URL, TRUSTED_STORE_NETWORK: 'false' })).toEqual(['EVENTS_URL']);
  expect(plain({})).toEqual([]);
});
