import { expect, test } from 'vitest';
import { vendorLinkOf } from './vendor-link.ts';

const connector_id = '01920000-0000-7000-8000-000000000301';
const href = 'https://security.example/alerts/1';

test('an event a connector fetched leads to the vendor’s page of it', () => {
  const fields = { alertWebUrl: href, incidentWebUrl: 'https://security.example/incidents/1' };
  expect(vendorLinkOf({ connector_id, integration: 'microsoft_graph', fields })).toEqual({
    href,
    host: 'security.example',
  });
});

test('an event that a connector was asked for live leads to where the server says, also in the clear', () => {
  const link = 'http://graylog.example:9000/messages/graylog_0/m-1';
  const event = { connector_id, integration: 'graylog', fields: {}, link };
  expect(vendorLinkOf(event)).toEqual({ href: link, host: 'graylog.example:9000' });
  expect(vendorLinkOf({ ...event, link: 'javascript:alert(1)' })).toBeUndefined();
});

test.each([
  ['what somebody sent, who can write what they like', { connector_id: '', fields: { alertWebUrl: href } }],
  ['no web address', { connector_id, fields: { alertWebUrl: 'javascript:alert(1)' } }],
  ['one in the clear', { connector_id, fields: { alertWebUrl: 'http://security.example/' } }],
  [
    'one that pretends to be another host',
    { connector_id, fields: { alertWebUrl: 'https://login.example@evil.example/' } },
  ],
  ['no text', { connector_id, fields: { alertWebUrl: { href } } }],
  ['a field of another vendor', { connector_id, fields: { falcon_host_link: href } }],
])('%s is no link', (_, event) => {
  expect(vendorLinkOf({ integration: 'microsoft_graph', ...event })).toBeUndefined();
});
