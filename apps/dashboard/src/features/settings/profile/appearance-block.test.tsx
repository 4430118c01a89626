import { readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { singleKeysOn } from '../../../lib/single-keys.ts';
import { AppContextProvider } from '../../../session/app-context.ts';
import { openApp } from '../../../test-app.tsx';
import { AppearanceBlock } from './appearance-block.tsx';

/** As the next page does before anything is drawn. */
function firstPaint(): void {
  const script = readFileSync(`${import.meta.dirname}/../../../../public/first-paint.js`, 'utf8');
  new Function(script)();
}

function showBlock() {
  const { app } = openApp('/settings/profile');
  const view = render(
    <MantineProvider env="test">
      <AppContextProvider value={{ ...app, storage: localStorage }}>
        <AppearanceBlock />
      </AppContextProvider>
    </MantineProvider>,
  );
  const box = screen.getByRole<HTMLInputElement>('switch', { name: 'Single-key shortcuts' });
  return { box, leave: () => view.unmount() };
}

afterEach(() => {
  localStorage.clear();
  firstPaint();
});

test('single-key shortcuts are on until they are switched off, and stay off on the next page', () => {
  firstPaint();
  const { box, leave } = showBlock();
  expect(box.checked).toBe(true);
  fireEvent.click(box);
  expect(box.checked).toBe(false);
  expect(singleKeysOn()).toBe(false);

  leave();
  delete document.documentElement.dataset.singleKeys;
  firstPaint();
  expect(singleKeysOn()).toBe(false);
  const again = showBlock();
  expect(again.box.checked).toBe(false);
  fireEvent.click(again.box);
  expect(singleKeysOn()).toBe(true);
});
