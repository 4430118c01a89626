import { ActionIcon, MantineProvider, Menu } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType, ReactElement } from 'react';
import { expect, test } from 'vitest';
import { OnDemand } from './on-demand.tsx';
import { useOpenedAtOnce } from './use-opened-at-once.ts';

function Choices({ target }: { target: ReactElement }) {
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu opened={opened} onChange={setOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Dark</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const nothing = {};
const opener = () => screen.getByRole('button', { name: 'Appearance' });

function show(load: () => Promise<ComponentType<{ target: ReactElement }>>) {
  render(
    <MantineProvider env="test">
      <OnDemand load={load} extra={nothing} button={<ActionIcon aria-label="Appearance" />} />
    </MantineProvider>,
  );
  opener().focus();
  fireEvent.click(opener());
}

test('a menu that its first press loads gives the focus back also when it is closed for the first time', async () => {
  show(async () => Choices);
  const item = await screen.findByRole('menuitem', { name: 'Dark' });
  await waitFor(() => expect(screen.getByRole('menu').contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(item, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener()));
});

test('while it loads, its button keeps the focus', async () => {
  let arrive: (menu: typeof Choices) => void = () => undefined;
  show(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  await act(async () => undefined);
  expect(document.activeElement).toBe(opener());
  await act(async () => arrive(Choices));
  await screen.findByRole('menu');
});
