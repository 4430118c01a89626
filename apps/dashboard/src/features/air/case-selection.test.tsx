import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SelectBox, SelectionProvider, SelectShownBox, useSelection } from './case-selection.tsx';

function Chosen() {
  const { ids, isAll, chooseAll } = useSelection();
  return (
    <>
      <button type="button" onClick={chooseAll}>
        Choose all
      </button>
      <output>{isAll ? 'all' : [...ids].join(' ')}</output>
    </>
  );
}

/** The list as it stands on a page of it. */
const listOf = (shown: readonly string[]) => (
  <MantineProvider env="test">
    <SelectionProvider shown={shown} listKey="open cases">
      <SelectShownBox />
      {shown.map((id) => (
        <SelectBox key={id} id={id} name={id} />
      ))}
      <Chosen />
    </SelectionProvider>
  </MantineProvider>
);
const chosen = () => screen.getByRole('status').textContent;
const tick = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }));

test('of everything that matches a case on another page can be spared', () => {
  const { rerender } = render(listOf(['a', 'b']));
  fireEvent.click(screen.getByText('Choose all'));
  rerender(listOf(['c', 'd', 'e']));
  expect(chosen()).toBe('all');
  tick('Select d');
  expect(chosen()).toBe('c e');
  tick('Select d');
  expect(chosen()).toBe('c e d');
});

test('the box above the list takes everything back where everything was chosen on another page', () => {
  const { rerender } = render(listOf(['a', 'b']));
  fireEvent.click(screen.getByText('Choose all'));
  rerender(listOf(['c', 'd']));
  tick('Select all cases shown');
  expect(chosen()).toBe('');
});
