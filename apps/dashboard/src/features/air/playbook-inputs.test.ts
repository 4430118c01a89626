import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { guessFor, inputsOf, inputValues, type PlaybookInput } from './playbook-inputs.ts';

function inputOf(name: string, schema: JsonObject): PlaybookInput {
  const [input] = inputsOf({ properties: { [name]: schema } });
  if (input === undefined) throw new Error('no input');
  return input;
}

describe('inputs of a playbook', () => {
  it('are read from its schema, whatever that leaves out', () => {
    const schema = { properties: { ip: { type: 'string', title: 'Address' }, note_text: {} }, required: ['ip'] };
    expect(inputsOf(schema)).toEqual([
      { name: 'ip', label: 'Address', description: '', required: true, type: 'string', items: undefined, start: '' },
      {
        ...{ name: 'note_text', label: 'note text', description: '', required: false },
        ...{ type: 'string', items: undefined, start: '' },
      },
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
    expect(guessFor(inputOf(input, {}), groups)).toBe(expected);
  });

  it.each<[string, JsonObject, string]>([
    ['open_ticket', { type: 'boolean', default: true }, 'true'],
    ['open_ticket', { type: 'boolean' }, ''],
    ['host_count', { type: 'integer' }, ''],
    ['ticket_system', { type: 'string', default: 'jira' }, 'jira'],
    ['hosts', { type: 'array', items: { type: 'string' } }, '{{ [group.host] }}'],
    ['ports', { type: 'array', items: { type: 'integer' }, default: [22, 443] }, '22, 443'],
    ['groups', { type: 'array', items: { type: 'string' }, default: ['CN=Staff,OU=EU'] }, ''],
    ['items', { type: 'array', items: { type: 'object' }, default: [{ id: 1 }, { id: 2 }] }, ''],
    ['cases', { type: 'array', items: { type: 'string' } }, ''],
    ['users', { type: 'array', items: { type: 'object' } }, ''],
  ])('%s of %j begins with what fits it: %s', (name, schema, expected) => {
    expect(guessFor(inputOf(name, schema), ['src_ip', 'user', 'host'])).toBe(expected);
  });

  it('are sent as what they are', () => {
    const inputs = inputsOf({ properties: { n: { type: 'integer' }, f: { type: 'boolean' }, t: {}, empty: {} } });
    expect(inputValues(inputs, { n: '5', f: 'true', t: '{{ case.id }}', empty: ' ' })).toEqual({
      n: 5,
      f: true,
      t: '{{ case.id }}',
    });
  });

  it('are sent as lists where lists are asked for', () => {
    const texts = { type: 'array', items: { type: 'string' } };
    const inputs = inputsOf({ properties: { a: texts, b: texts, n: { type: 'array', items: { type: 'integer' } } } });
    expect(inputValues(inputs, { a: 'web-1, web-2,\nweb-3', b: '{{ [group.host, "x"] }}', n: '22' })).toEqual({
      a: ['web-1', 'web-2', 'web-3'],
      b: '{{ [group.host, "x"] }}',
      n: [22],
    });
  });
});
