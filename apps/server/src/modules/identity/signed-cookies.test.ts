import { expect, it } from 'vitest';
import { createSignedCookies } from './signed-cookies.ts';

const secret = 'a secret of this installation';
const cookies = createSignedCookies({ secret, secure: true });

/** The header a browser sends back. */
const sentBack = (line: string) => line.split(';')[0] ?? '';
const pairOf = (name: string, text: string) => `${name}=${encodeURIComponent(text)}`;

it('reads what it wrote, among other cookies', () => {
  const own = sentBack(cookies.write('device', 'value.with.dots', 60));
  expect(cookies.read(`a=b; ${own}; c=d`, 'device')).toBe('value.with.dots');
});

it('takes nothing that it did not sign', () => {
  const own = sentBack(cookies.write('device', 'mine', 60));
  const signature = decodeURIComponent(own).split('.').at(-1) ?? '';
  const forged = [
    own.replace('mine', 'yours'),
    pairOf('__Host-device', `mine.${'A'.repeat(43)}=`),
    pairOf('__Host-device', `mine.${signature.slice(0, -4)}`),
    pairOf('__Host-device', 'mine.'),
    pairOf('__Host-device', 'mine'),
    pairOf('__Host-device', `.${signature}`),
    '__Host-device=%E0%A4%A',
    sentBack(createSignedCookies({ secret: 'another secret', secure: true }).write('device', 'mine', 60)),
  ];
  expect(forged.map((header) => cookies.read(header, 'device'))).toEqual(forged.map(() => undefined));
});

it('takes no cookie on https that another host of the domain could have planted', () => {
  const open = createSignedCookies({ secret, secure: false });
  expect(cookies.read(sentBack(open.write('device', 'mine', 60)), 'device')).toBeUndefined();
  expect(cookies.write('device', 'mine', 60)).toMatch(/^__Host-device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});
