import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { action } from './action-fixtures.ts';
import { CatalogueList } from './catalogue-list.tsx';
import { type CatalogueRow, catalogueRows } from './catalogue-rows.ts';

vi.setConfig({ testTimeout: 60_000 });
const ENTRIES = 1000;
/** More than two screens of rows of 56 px. */
const DRAWN_MAX = 60;
const WINDOW_PX = 800;

let drawings = 0;
let scrolledPx = 0;

beforeEach(() => {
  drawings = 0;
  scrolledPx = 0;
  window.innerHeight = WINDOW_PX;
  // jsdom has no layout: the list moves up as the page is scrolled down.
  vi.spyOn(HTMLUListElement.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, -scrolledPx));
});

/** Counts how often its name is read, which is once a drawing. */
function counted(of: ActionDefinition): ActionDefinition {
  return Object.defineProperty({ ...of }, 'friendly_name', {
    enumerable: true,
    get: () => {
      drawings += 1;
      return of.friendly_name;
    },
  });
}

const product = (number: number) => `Product ${String(Math.floor(number / 20)).padStart(2, '0')}`;
const actions = Array.from({ length: ENTRIES }, (_, number) => {
  const name = `Action ${String(number).padStart(4, '0')}`;
  return action(`p.a${number}`, { friendly_name: name, vendor: 'Vendor', product: product(number) });
});
const rows: CatalogueRow[] = catalogueRows(actions, {}).map((row) =>
  row.kind === 'action' ? { ...row, action: counted(row.action) } : row,
);

function show(given: { openId?: string; connected?: ReadonlySet<string> } = {}) {
  const onOpen = vi.fn();
  const list = (openId: string | undefined) => (
    <MantineProvider env="test">
      <CatalogueList rows={rows} connected={given.connected} openId={openId} onOpen={onOpen} />
    </MantineProvider>
  );
  const { rerender } = render(list(given.openId));
  return { onOpen, open: (id: string) => rerender(list(id)) };
}

async function scrollTo(px: number) {
  scrolledPx = px;
  await act(async () => {
    fireEvent.scroll(window);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

// Asking by role looks at the styles of every element, which takes a while with so many.
const shown = () => [...document.querySelectorAll('[data-row]')].map((row) => row.textContent);
const shownRows = () => shown().length;
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

test('of a thousand actions only those near the screen are drawn, each once, and the list is as tall as all', () => {
  show();
  expect(shownRows()).toBeLessThan(DRAWN_MAX);
  expect(drawings).toBe(shownRows());
  const list = screen.getByRole('list', { name: 'Actions by product' });
  expect(list.style.height).toBe(`${ENTRIES * 56 + 50 * 44}px`);
  expect(shown().some((row) => row?.includes('Action 0000'))).toBe(true);
  expect(shown().some((row) => row?.includes('Action 0500'))).toBe(false);
});

test('scrolling a little draws nothing anew, scrolling on only the rows that come into sight', async () => {
  show();
  drawings = 0;
  await scrollTo(20);
  await scrollTo(40);
  const little = drawings;
  expect(little).toBeLessThanOrEqual(5);

  const before = new Set(shown());
  drawings = 0;
  await scrollTo(800);
  const fresh = shown().filter((row) => !before.has(row)).length;
  expect(fresh).toBeGreaterThan(0);
  expect(drawings).toBe(fresh);
});

test('the whole list passes by without more rows than a few screens have', async () => {
  show();
  drawings = 0;
  for (let px = 0; px < 58_000; px += 1000) {
    await scrollTo(px);
    expect(shownRows()).toBeLessThan(DRAWN_MAX);
  }
  // Every action once; the row in the tab order and its neighbours stay.
  expect(drawings).toBeLessThan(ENTRIES * 1.1);
  expect(shown().at(-1)).toContain('Action 0999');
});

test('j and k walk over products, and go on from the row used last though it is out of sight', async () => {
  const { onOpen } = show();
  press('j');
  expect(document.activeElement?.textContent).toContain('Action 0000');
  for (let step = 0; step < 20; step += 1) press('j');
  expect(document.activeElement?.textContent).toContain('Action 0020');
  await scrollTo(40_000);
  expect(document.activeElement?.textContent).toContain('Action 0020');
  press('k');
  expect(document.activeElement?.textContent).toContain('Action 0019');
  fireEvent.click(document.activeElement ?? document.body);
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('p.a19');
});

test('opening one draws two rows at most anew', () => {
  const { open } = show();
  drawings = 0;
  open('p.a3');
  expect(drawings).toBeLessThanOrEqual(3);
});

test('what has no connector says so', () => {
  show({ connected: new Set() });
  expect(screen.getByRole('button', { name: /Action 0000.*No connector/ })).toBeTruthy();
});
