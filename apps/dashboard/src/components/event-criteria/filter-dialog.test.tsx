import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FilterDialog } from './filter-dialog.tsx';
import type { UrlFilter } from './url-filter.ts';

/** The dialog with a filter in it; `save` enters a value and sends it. */
function dialogOf(filter: UrlFilter) {
  const onSave = vi.fn();
  render(
    <MantineProvider env="test">
      <FilterDialog filter={filter} fields={[]} onClose={() => undefined} onSave={onSave} />
    </MantineProvider>,
  );
  const save = (value: string) => {
    fireEvent.change(screen.getByLabelText(/^Values?$/), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: 'Change filter' }));
  };
  return { onSave, save };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `host-${index}`);

test('more values than a filter takes are refused in words, never cut', () => {
  const { onSave, save } = dialogOf({ field: 'host', op: 'one_of', value: ['a'] });
  save(lines(101).join('\n'));
  expect(screen.getByText('A filter takes 100 values; these are 101.')).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
  save(lines(100).join('\n'));
  expect(onSave).toHaveBeenCalledWith({ field: 'host', op: 'one_of', value: lines(100) });
});

test('a part has to be there to be looked for, the empty value itself may be', () => {
  const { onSave, save } = dialogOf({ field: 'host', op: 'contains', value: 'a' });
  save('');
  expect(screen.getByText('Enter a part of the value.')).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText('Condition'), { target: { value: 'is' } });
  expect(screen.queryByText('Enter a part of the value.')).toBeNull();
  save('');
  expect(onSave).toHaveBeenCalledWith({ field: 'host', op: 'is', value: '' });
});

test('the same value twice is one', () => {
  const { onSave, save } = dialogOf({ field: 'host', op: 'not_one_of', value: ['a'] });
  save([...lines(100), ...lines(100)].join('\n'));
  expect(onSave).toHaveBeenCalledWith({ field: 'host', op: 'not_one_of', value: lines(100) });
});

test.each([
  { field: 'message', op: 'is', value: 'a' },
  { field: 'message', op: 'one_of', value: ['a'] },
] as const)('a value too long for $op is refused in words, never cut', (filter) => {
  const { onSave, save } = dialogOf(filter);
  save('x'.repeat(1001));
  expect(screen.getByText('A value has 1000 characters at most.')).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
  save('x'.repeat(1000));
  expect(onSave).toHaveBeenCalledOnce();
});
