import { expect, test } from 'vitest';
import { kindsOfValue, type ValueKind } from './value-kind.ts';

test.each<[string, string, ValueKind[]]>([
  ['src_ip', '203.0.113.7', ['ip']],
  ['anything', '2001:db8::7', ['ip']],
  ['sha256', 'a'.repeat(64), ['hash']],
  ['Hashes.MD5', 'D41D8CD98F00B204E9800998ECF8427E', ['hash']],
  ['link', 'https://login.example.net/a?b=1', ['url']],
  ['user', 'root', ['user']],
  ['TargetUserName', 'svc-backup', ['user']],
  ['actor.alternateId', 'ana@example.com', ['email', 'user']],
  ['user', 'ana@example.com', ['user', 'email']],
  ['host', 'web-1', ['host']],
  ['host', 'web-1.corp.example', ['host', 'domain']],
  ['ComputerName', 'WKS-12', ['host']],
  ['dns.query', 'evil.example', ['domain']],
])('%s %s can be acted on as %j', (field, value, kinds) => {
  expect(kindsOfValue(field, value)).toEqual(kinds);
});

test.each([
  ['port', '4711'],
  ['message', 'Failed password for root'],
  ['user', ''],
  ['user_id', '1000'],
  ['process', 'invoice.example'],
  ['user agent', 'curl'],
  ['_id', '01920000-0000-7000-8000-000000000001'],
])('%s %s is nothing an action is about: it is not offered', (field, value) => {
  expect(kindsOfValue(field, value)).toEqual([]);
});
