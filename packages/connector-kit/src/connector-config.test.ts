import { describe, expect, it } from 'vitest';
import {
  accountOf,
  isSecretMask,
  maskConfig,
  secretDestination,
  secretFields,
  splitConfig,
} from './connector-config.ts';

const schema = {
  type: 'object',
  properties: {
    base_url: { type: 'string', destination: true },
    api_key: { type: 'string', secret: true },
    password: { type: 'string', secret: true },
    vdom: { type: 'string' },
  },
};

describe('a configuration with secrets', () => {
  it('is taken apart into plain values, secrets to seal and secrets to keep', () => {
    const sent = {
      base_url: 'https://fw.example.net:8443/path',
      api_key: 'new-key',
      password: { $secret: true, set_at: '2026-11-20T12:00:00.000Z' },
      vdom: 'root',
    };
    expect(splitConfig(schema, sent)).toEqual({
      plain: { base_url: sent.base_url, vdom: 'root' },
      toSeal: { api_key: 'new-key' },
      keep: ['password'],
    });
    expect(secretFields(schema)).toEqual(['api_key', 'password']);
  });

  it('never keeps a secret among the plain values, whatever was sent for it', () => {
    for (const value of ['', 7, null, ['x'], { other: 1 }]) {
      expect(splitConfig(schema, { api_key: value }).plain).toEqual({});
    }
  });

  it('is shown with masks only', () => {
    const shown = maskConfig({ vdom: 'root' }, { api_key: '2026-11-20T12:00:00.000Z' });
    expect(shown).toEqual({ vdom: 'root', api_key: { $secret: true, set_at: '2026-11-20T12:00:00.000Z' } });
    expect(isSecretMask(shown.api_key)).toBe(true);
    expect(isSecretMask('text')).toBe(false);
  });

  it('says whose events it is about, with defaults and without what is empty', () => {
    const marked = {
      properties: {
        organization: { type: 'string', account: true },
        cloud: { type: 'string', default: 'global', account: true },
        member: { type: 'string', account: true },
        token: { type: 'string', secret: true },
      },
    };
    expect(accountOf(marked, { organization: 'acme', member: '', token: 'x' })).toEqual({
      organization: 'acme',
      cloud: 'global',
    });
    expect(accountOf(marked, { organization: 'acme', cloud: 'global' })).toEqual(
      accountOf(marked, { organization: 'acme' }),
    );
    expect(accountOf(schema, { vdom: 'root' })).toBeUndefined();
  });

  it('binds its secrets to the origin of its destination', () => {
    expect(secretDestination(schema, { base_url: 'https://fw.example.net:8443/path?x=1' })).toBe(
      'https://fw.example.net:8443',
    );
    expect(secretDestination(schema, { base_url: 'nonsense' })).toBe('');
    expect(secretDestination({ type: 'object' }, {})).toBe('');
  });
});
