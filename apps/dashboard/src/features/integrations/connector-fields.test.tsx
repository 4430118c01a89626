import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { newDraft, noProblems } from './connector-draft.ts';
import { ConnectorFields } from './connector-fields.tsx';
import { graylog } from './integrations-fixture.ts';

function Form() {
  const [draft, setDraft] = useState(newDraft(graylog, []));
  return (
    <MantineProvider env="test">
      <ConnectorFields integration={graylog} draft={draft} problems={noProblems} idPrefix="x" onChange={setDraft} />
    </MantineProvider>
  );
}

test('what is wrong with the name is said once it was left, as of any other field, and goes as soon as it is right', () => {
  render(<Form />);
  const name = screen.getByLabelText('Name');
  fireEvent.change(name, { target: { value: ' ' } });
  expect(screen.queryByText('Enter a name.')).toBeNull();
  fireEvent.blur(name);
  expect(screen.getByText('Enter a name.')).toBeTruthy();
  expect(name.getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(name, { target: { value: 'Edge' } });
  expect(screen.queryByText('Enter a name.')).toBeNull();
});
