import { Checkbox, MantineProvider, PasswordInput, Radio, TextInput } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { useRefusal } from './use-refusal.ts';

/** Its own check finds the last field wrong; `server` is what the server says. */
function Form({ fields, server }: { fields: (problem: string | undefined) => ReactNode; server?: Error }) {
  const [asked, setAsked] = useState(false);
  const { form, refuse } = useRefusal(server);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    refuse();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <TextInput label="First" />
      {fields(asked || server !== undefined ? 'No.' : undefined)}
      <button type="submit">Save</button>
    </form>
  );
}

const kinds: Record<string, (problem: string | undefined) => ReactNode> = {
  'a field': (error) => <TextInput label="To mend" error={error} />,
  'a secret': (error) => <PasswordInput label="To mend" error={error} aria-invalid={error !== undefined} />,
  'a choice': (error) => (
    <Radio.Group label="Why?" error={error}>
      <Radio value="a" label="To mend" />
      <Radio value="b" label="Other" />
    </Radio.Group>
  ),
  boxes: (error) => (
    <Checkbox.Group label="Which?" description="Any." error={error}>
      <Checkbox value="a" label="To mend" />
    </Checkbox.Group>
  ),
};

test.each(Object.keys(kinds))('a form refused for %s sends the focus there, each time', (kind) => {
  render(<Form fields={kinds[kind] ?? (() => null)} />, { wrapper: MantineProvider });
  const save = screen.getByRole('button', { name: 'Save' });
  for (const _ of ['first', 'again']) {
    save.focus();
    fireEvent.click(save);
    expect(document.activeElement).toBe(screen.getByLabelText('To mend'));
  }
});

test('so does the answer of the server, and what is typed then stays where it is', () => {
  const fields = kinds['a field'] ?? (() => null);
  const { rerender } = render(<Form fields={fields} />, { wrapper: MantineProvider });
  screen.getByRole('button', { name: 'Save' }).focus();
  rerender(<Form fields={fields} server={new Error('No.')} />);
  expect(document.activeElement).toBe(screen.getByLabelText('To mend'));
  screen.getByLabelText('First').focus();
  rerender(<Form fields={fields} />);
  expect(document.activeElement).toBe(screen.getByLabelText('First'));
});

test('whoever has typed on since they pressed the button keeps the focus', () => {
  const fields = kinds['a field'] ?? (() => null);
  const { rerender } = render(<Form fields={fields} />, { wrapper: MantineProvider });
  const first = screen.getByLabelText('First');
  const type = () => {
    first.focus();
    fireEvent.input(first, { target: { value: `${(first as HTMLInputElement).value}x` } });
  };
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  type();
  rerender(<Form fields={fields} server={new Error('No.')} />);
  expect(document.activeElement).toBe(first);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  rerender(<Form fields={fields} server={new Error('Again.')} />);
  expect(document.activeElement).toBe(screen.getByLabelText('To mend'));
});
