import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { IpField } from './ip-field.tsx';

function Field({ family }: { family: 'ipv4' | 'ipv6' }) {
  const [value, setValue] = useState('');
  return (
    <MantineProvider env="test">
      <IpField label="Address" family={family} value={value} onChange={setValue} />
      <p>{value}</p>
    </MantineProvider>
  );
}

/** One key as a browser sends it: asked before, told after. */
function type(keys: string): string {
  const field = screen.getByLabelText<HTMLInputElement>('Address');
  for (const data of keys) {
    const goesIn = fireEvent(
      field,
      new InputEvent('beforeinput', { bubbles: true, cancelable: true, inputType: 'insertText', data }),
    );
    if (goesIn) fireEvent.input(field, { target: { value: field.value + data } });
  }
  return field.value;
}

test.each([
  ['ipv4', '192.0.2.10:514', '192.0.2.10:514'],
  ['ipv4', '999', '99'],
  ['ipv4', '192.0.2.300', '192.0.2.30'],
  ['ipv4', '1.2.3.4:70000', '1.2.3.4:7000'],
  ['ipv6', '[2001:db8::10]:514', '[2001:db8::10]:514'],
  ['ipv6', '2001:dbg8', '2001:db8'],
  ['ipv6', '12345', '1234'],
] as const)('into an %s field %s goes as %s', (family, keys, text) => {
  render(<Field family={family} />);
  expect(type(keys)).toBe(text);
  expect(screen.getByText(text, { selector: 'p' })).toBeTruthy();
});
