import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { storySentence } from './story-sentence.ts';

const nameOf = (username: string) => (username === 'tom@example.com' ? 'Tom' : username);

function told(kind: CaseActivity['kind'], data: CaseActivity['data'], text = 'as the server says'): string {
  return storySentence({ username: 'ana@example.com', kind, text, data }, { nameOf }).text;
}

describe('sentences of the story', () => {
  it.each([
    [
      'status_changed',
      { from: 'open', to: 'closed', close_reason: 'false_positive' },
      'closed the case as false positive',
    ],
    ['status_changed', { from: 'closed', to: 'closed', close_reason: 'benign' }, 'changed the close reason to benign'],
    ['status_changed', { from: 'closed', to: 'open' }, 'reopened the case'],
    ['status_changed', { from: 'acknowledged', to: 'open' }, 'set the case back to open'],
    ['severity_changed', { from: 'low', to: 'critical' }, 'raised the severity from low to critical'],
    ['severity_changed', { from: 'high', to: 'medium' }, 'lowered the severity from high to medium'],
    ['assigned', { from: null, to: 'tom@example.com' }, 'assigned the case to Tom'],
    ['assigned', { from: null, to: 'ana@example.com' }, 'took the case'],
    ['assigned', { from: 'ana@example.com', to: null }, 'gave the case back'],
    ['assigned', { from: 'tom@example.com', to: null }, 'took the assignment away'],
    ['tagged', { added: ['scanner'], removed: ['vpn', 'dmz'] }, 'added the tag scanner and removed the tags vpn, dmz'],
  ] as const)('%s %j: %s', (kind, data, sentence) => {
    expect(told(kind, data)).toBe(sentence);
  });

  it("fall back to the server's text when the data says something unknown", () => {
    expect(told('status_changed', { from: 'open', to: 'frozen' })).toBe('· as the server says');
    expect(told('severity_changed', {})).toBe('· as the server says');
    expect(told('tagged', { added: 'scanner' })).toBe('· as the server says');
    expect(told('run_started', {})).toBe('· as the server says');
  });

  it('say who started a run, unless it started by itself', () => {
    const started = { kind: 'run_started', text: 'Started Block address', data: {} } as const;
    expect(storySentence({ ...started, username: 'tom@example.com' }, { nameOf }).text).toBe('started Block address');
    expect(storySentence({ ...started, username: 'system' }, { nameOf }).text).toBe('· Started Block address');
  });

  it('keep what somebody wrote as a note', () => {
    const comment = { username: 'ana@example.com', kind: 'commented', text: 'Line one\nLine two', data: {} } as const;
    expect(storySentence(comment, { nameOf })).toEqual({ text: 'commented', note: 'Line one\nLine two' });
  });
});
