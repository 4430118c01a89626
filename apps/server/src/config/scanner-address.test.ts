import { expect, it } from 'vitest';
import { scannerAddressOf } from './scanner-address.ts';

it.each([
  ['tcp://clamd:3311', { host: 'clamd', port: 3311 }],
  ['tcp://clamd.internal', { host: 'clamd.internal', port: 3310 }],
  ['tcp://[::1]:3310/', { host: '::1', port: 3310 }],
  ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('takes %s', (text, address) => {
  expect(scannerAddressOf(text)).toEqual(address);
});

it.each([
  '',
  'clamd:3310',
  'http://clamd:3310',
  'tcp://',
  'tcp://clamd:0',
  'tcp://clamd:70000',
  'tcp://user:secret@clamd:3310',
  'tcp://clamd:3310/scan',
  'unix:clamd.ctl',
  'unix:/run/clamd.ctl?x=1',
])('refuses %s', (text) => {
  expect(scannerAddressOf(text)).toBeUndefined();
});
