import type { JsonObject } from '@airdeck/contracts/fields';
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { defaultValues } from './form-schema.ts';
import { focusFirstProblem, ProblemSummary } from './problem-summary.tsx';
import { SchemaForm } from './schema-form.tsx';
import { type SchemaProblem, schemaProblems } from './schema-problems.ts';

// A form of every kind of field takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const set_at = '2026-01-01T00:00:00.000Z';
const schema: JsonObject = {
  type: 'object',
  required: ['base_url', 'token'],
  properties: {
    base_url: { type: 'string', title: 'Address', description: 'Such as https://a.example', pattern: '^https?://' },
    token: { type: 'string', title: 'Token', secret: true, minLength: 3 },
    password: { type: 'string', title: 'Password', secret: true },
    hours: { type: 'number', title: 'Hours', default: 24 },
    level: { type: 'string', title: 'Level', enum: ['low', 'high'] },
    verify: { type: 'boolean', title: 'Verify', default: true },
    kinds: { type: 'array', title: 'Kinds', items: { type: 'string', enum: ['alert', 'audit'] } },
    hosts: { type: 'array', title: 'Hosts', items: { type: 'string' } },
    address: { type: 'string', title: 'IP', format: 'ip' },
    links: {
      type: 'array',
      title: 'Links',
      items: { type: 'object', required: ['href'], properties: { href: { type: 'string', title: 'Target' } } },
    },
    extra: { type: 'object', title: 'Extra' },
    headers: { type: 'object', title: 'Headers', additionalProperties: { type: 'string' } },
  },
};

let now: JsonObject = {};

function Form({ start }: { start: JsonObject }) {
  const [value, setValue] = useState(start);
  const [problems, setProblems] = useState<readonly SchemaProblem[]>([]);
  now = value;
  return (
    <MantineProvider env="test">
      <ProblemSummary schema={schema} problems={problems} idPrefix="f" />
      <SchemaForm
        schema={schema}
        value={value}
        problems={problems}
        idPrefix="f"
        onChange={(next) => {
          setValue(next);
          setProblems([]);
        }}
      />
      <button
        type="button"
        onClick={() => {
          const found = schemaProblems(schema, value);
          setProblems(found);
          focusFirstProblem(schema, found, 'f');
        }}
      >
        Send
      </button>
    </MantineProvider>
  );
}
const show = (start: JsonObject = defaultValues(schema)) => render(<Form start={start} />);
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const leave = (label: string) => fireEvent.blur(screen.getByLabelText(label));

test('a choice is read by the names the schema gives its values, and stands for the value', () => {
  const named: JsonObject = {
    type: 'object',
    properties: {
      auth: { type: 'string', title: 'Credential', enum: ['none', 'bearer'], value_names: { bearer: 'Bearer token' } },
      sources: {
        type: 'array',
        title: 'Sources',
        items: { type: 'string', enum: ['audit_log', 'dependabot'], value_names: { audit_log: 'Audit log' } },
      },
    },
  };
  const onChange = vi.fn();
  render(
    <MantineProvider env="test">
      <SchemaForm schema={named} value={{}} problems={[]} idPrefix="n" onChange={onChange} />
    </MantineProvider>,
  );
  fireEvent.change(screen.getByLabelText('Credential'), { target: { value: 'bearer' } });
  expect(within(screen.getByLabelText('Credential')).getByText('Bearer token')).toBeTruthy();
  // What has no name is shown as it is.
  expect(within(screen.getByLabelText('Credential')).getByText('none')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Audit log'));
  expect(screen.getByLabelText('dependabot')).toBeTruthy();
  expect(onChange.mock.calls).toEqual([[{ auth: 'bearer' }], [{ sources: ['audit_log'] }]]);
});

test('every kind of property is a named control that fills in its value', () => {
  show();
  expect(now).toEqual({ hours: 24, verify: true });
  type('Address', 'https://a.example');
  type('Token', 'secret');
  type('Hours', '1.5');
  type('Level', 'high');
  fireEvent.click(screen.getByLabelText('Verify'));
  fireEvent.click(screen.getByLabelText('audit'));
  fireEvent.click(screen.getByLabelText('alert'));
  type('Hosts', 'one\n two \n\n');
  leave('Hosts');
  type('IP', '2001:db8::1');
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  type('Target', 'https://b.example');
  type('Extra', '{"a":[1]}');
  expect(now).toEqual({
    base_url: 'https://a.example',
    token: 'secret',
    hours: 1.5,
    level: 'high',
    verify: false,
    kinds: ['alert', 'audit'],
    hosts: ['one', 'two'],
    address: '2001:db8::1',
    links: [{ href: 'https://b.example' }],
    extra: { a: [1] },
  });
});

test('a problem is said once the field was left, and goes as soon as it is right', () => {
  show();
  type('Address', 'a.example');
  expect(screen.queryByText('Begin with https:// or http://.')).toBeNull();
  leave('Address');
  expect(screen.getByText('Begin with https:// or http://.')).toBeTruthy();
  expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true');
  type('Address', 'https://a.example');
  expect(screen.queryByText('Begin with https:// or http://.')).toBeNull();
});

test('sending too early goes to the first problem and lists all of them, each leading to its field', () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Address'));
  expect(screen.getByText('2 fields need another look.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Token' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Token'));
});

test('a secret is typed unseen, and shown on request', () => {
  show();
  expect(screen.getByLabelText('Token').getAttribute('type')).toBe('password');
  fireEvent.click(
    within(screen.getByLabelText('Token').parentElement as HTMLElement).getByRole('button', {
      name: 'Show what is typed',
    }),
  );
  expect(screen.getByLabelText('Token').getAttribute('type')).toBe('text');
});

test('a saved secret shows only that it is saved; it is replaced, and kept after all', () => {
  const token = { $secret: true, set_at };
  show({ base_url: 'https://a.example', token });
  expect(screen.queryByLabelText('Token')).toBeNull();
  expect(schemaProblems(schema, now)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Replace token' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Token'));
  expect(now).toEqual({ base_url: 'https://a.example' });
  type('Token', 'new one');
  fireEvent.click(screen.getByRole('button', { name: 'Keep the saved token' }));
  expect(now).toEqual({ base_url: 'https://a.example', token });
  // What was typed is gone from the page.
  expect(document.body.innerHTML).not.toContain('new one');
});

test('only a secret that may be missing can be removed', () => {
  show({ token: { $secret: true, set_at }, password: { $secret: true, set_at } });
  expect(screen.queryByRole('button', { name: 'Remove token' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Remove password' }));
  expect(now).toEqual({ token: { $secret: true, set_at } });
});

test('an address takes no key that cannot lead to one', () => {
  show();
  type('IP', '192.0.2.1');
  type('IP', '192.0.2.1x');
  type('IP', 'host.example');
  expect(now.address).toBe('192.0.2.1');
});

test('half a number stays as it was typed, and is a problem', () => {
  show();
  type('Hours', '1.');
  expect(screen.getByLabelText<HTMLInputElement>('Hours').value).toBe('1.');
  type('Hours', 'many');
  leave('Hours');
  expect(screen.getByText('Enter a number.')).toBeTruthy();
  type('Hours', '1.50');
  leave('Hours');
  expect(now.hours).toBe(1.5);
});

test('an empty list typed as JSON is not swept away, and broken JSON is kept to go on with', () => {
  show();
  type('Extra', '{"a":');
  leave('Extra');
  expect(screen.getByText('This is not complete JSON.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Extra').value).toBe('{"a":');
  type('Extra', '[]');
  expect(screen.getByLabelText<HTMLInputElement>('Extra').value).toBe('[]');
});

test('removing an entry of a list sends the focus on', () => {
  show({ links: [{ href: 'a' }, { href: 'b' }] });
  fireEvent.click(screen.getByRole('button', { name: 'Remove links 1' }));
  expect(now.links).toEqual([{ href: 'b' }]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add' }));
});

test('names and values are written as lines; half a line is kept until it is whole', () => {
  show({ headers: { 'X-Key': 'a:b' } });
  const field = screen.getByLabelText<HTMLInputElement>('Headers');
  expect(field.value).toBe('X-Key: a:b');
  type('Headers', 'X-Key: a:b\nAccept');
  leave('Headers');
  expect(screen.getByText('Write each line as name: value.')).toBeTruthy();
  type('Headers', 'X-Key: a:b\nAccept: */*');
  expect(now.headers).toEqual({ 'X-Key': 'a:b', Accept: '*/*' });
  expect(field.value).toBe('X-Key: a:b\nAccept: */*');
});
