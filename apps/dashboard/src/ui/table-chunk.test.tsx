import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DataTable } from './data-table.tsx';
import { columnsFor } from './data-table-columns.ts';

vi.setConfig({ testTimeout: 60_000 });
type Row = { id: string; name: string };
const column = columnsFor<Row>();
const columns = [column.accessor('name', { header: 'Name' })];
const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, id) => ({ id: `${id}`, name: `row ${id}` }));

type Watcher = { node: Element; tell: (entries: Partial<IntersectionObserverEntry>[]) => void };
let watchers: Watcher[] = [];

beforeEach(() => {
  watchers = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly tell: Watcher['tell'];
      constructor(tell: Watcher['tell']) {
        this.tell = tell;
      }
      observe = (node: Element) => void watchers.push({ node, tell: this.tell });
      disconnect = () => {
        watchers = watchers.filter(({ tell }) => tell !== this.tell);
      };
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

/** What the browser tells when a part of the table comes into sight or leaves. */
function see(part: number, isIntersecting: boolean, height = 1800) {
  const body = document.querySelectorAll('tbody')[part];
  const boundingClientRect = new DOMRect(0, 0, 0, height);
  act(() => watchers.find(({ node }) => node === body)?.tell([{ isIntersecting, boundingClientRect }]));
}

const table = (count: number) => (
  <MantineProvider env="test">
    <DataTable
      label="Things"
      columns={columns}
      rows={rowsOf(count)}
      rowId={({ id }) => id}
      onOpen={() => undefined}
      empty={null}
    />
  </MantineProvider>
);
const drawn = () => document.querySelectorAll('[data-row]').length;

test('of a list that grew, what is out of sight gives way to its height and comes back', () => {
  render(table(1000));
  for (let part = 2; part < 20; part += 1) see(part, false);
  expect(drawn()).toBe(100);
  expect(document.querySelectorAll('tbody')[5]?.querySelector('td')?.style.height).toBe('1800px');
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
  see(5, true);
  expect(drawn()).toBe(150);
  expect(screen.getByText('row 250').closest('tr')?.getAttribute('aria-rowindex')).toBe('252');
});

test('the part with the row used last stays, so that keys go on from it', () => {
  render(table(1000));
  fireEvent.focus(screen.getByText('row 260').closest('tr') as HTMLElement);
  see(5, false);
  expect(screen.getByText('row 260')).toBeTruthy();
  see(0, false);
  expect(screen.queryByText('row 0')).toBeNull();
});

test('a list of few rows is drawn as a whole wherever it stands', () => {
  render(table(100));
  see(0, false);
  expect(drawn()).toBe(100);
  expect(screen.getByRole('table').hasAttribute('aria-rowcount')).toBe(false);
});
