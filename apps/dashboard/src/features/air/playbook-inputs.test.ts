import { describe, expect, it } from 'vitest';
import { guessFor, inputsOf, inputValues } from './playbook-inputs.ts';

describe('inputs of a playbook', () => {
  it('are read from its schema, whatever that leaves out', () => {
    const schema = { properties: { ip: { type: 'string', title: 'Address' }, note_text: {} }, required: ['ip'] };
    expect(inputsOf(schema)).toEqual([
      { name: 'ip', label: 'Address', description: '', required: true, type: 'string' },
      { name: 'note_text', label: 'note text', description: '', required: false, type: 'string' },
    ]);
    expect(inputsOf({})).toEqual([]);
  });

  it.each([
    ['src_ip', ['src_ip', 'user'], '{{ group.src_ip }}'],
    ['ip', ['user', 'src_ip'], '{{ group.src_ip }}'],
    ['username', ['user'], '{{ group.user }}'],
    ['case_reference', [], '{{ case.reference }}'],
    ['case_id', [], '{{ case.id }}'],
    ['colour', ['src_ip'], ''],
    ['Actor.Id', ['actor.id'], '{{ group["actor.id"] }}'],
  ])('%s of %j is filled with %s', (input, groups, expected) => {
    expect(guessFor(input, groups)).toBe(expected);
  });

  it('are sent as what they are', () => {
    const inputs = inputsOf({ properties: { n: { type: 'integer' }, f: { type: 'boolean' }, t: {}, empty: {} } });
    expect(inputValues(inputs, { n: '5', f: 'true', t: '{{ case.id }}', empty: ' ' })).toEqual({
      n: 5,
      f: true,
      t: '{{ case.id }}',
    });
  });
});
