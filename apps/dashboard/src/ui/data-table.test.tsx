import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DataTable } from './data-table.tsx';
import { columnsFor } from './data-table-columns.ts';

type Row = { id: string; name: string };
const column = columnsFor<Row>();
const columns = [
  column.accessor('name', { header: 'Name', enableSorting: true }),
  column.display({
    id: 'link',
    header: 'Link',
    cell: ({ row }) => <a href={`#${row.original.id}`}>open {row.original.id}</a>,
  }),
];
const rows: Row[] = [
  { id: '1', name: 'first' },
  { id: '2', name: 'second' },
  { id: '3', name: 'third' },
];

function show(props: Partial<Parameters<typeof DataTable<Row>>[0]> = {}) {
  const onOpen = vi.fn();
  const onSort = vi.fn();
  const table = (changed: typeof props) => (
    <MantineProvider env="test">
      <input aria-label="field" />
      <DataTable
        label="Things"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        onOpen={onOpen}
        onSort={onSort}
        sort="-name"
        empty={<p>Nothing yet</p>}
        {...changed}
      />
    </MantineProvider>
  );
  const { rerender } = render(table(props));
  const rowOf = (text: string) => screen.getByText(text).closest('tr') as HTMLElement;
  return { onOpen, onSort, rowOf, change: (changed: typeof props) => rerender(table(changed)) };
}

test('rows that fill the screen come first, and all others after them', () => {
  const seen: number[] = [];
  const many = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, name: `row ${index}` }));
  const counting = (
    <Profiler id="table" onRender={() => seen.push(document.querySelectorAll('tbody tr').length)}>
      <DataTable label="Things" columns={columns} rows={many} rowId={(row) => row.id} empty={null} />
    </Profiler>
  );
  render(<MantineProvider env="test">{counting}</MantineProvider>);
  expect(seen[0]).toBe(20);
  expect(seen.at(-1)).toBe(60);
});

test('a click anywhere on a row opens it, a click on its own link does not', () => {
  const { onOpen } = show();
  fireEvent.click(screen.getByText('second'));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1]);
  fireEvent.click(screen.getByText('open 1'));
  expect(onOpen).toHaveBeenCalledTimes(1);
});

test('j and k walk the rows, enter opens, and both ends hold', () => {
  const { onOpen, rowOf } = show();
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press('j');
  expect(document.activeElement).toBe(rowOf('first'));
  press('j');
  press('j');
  press('j');
  expect(document.activeElement).toBe(rowOf('third'));
  press('k');
  press('Enter');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1]);
});

test('letters typed into a field stay letters', () => {
  show();
  const field = screen.getByLabelText('field');
  field.focus();
  fireEvent.keyDown(field, { key: 'j' });
  expect(document.activeElement).toBe(field);
});

test('behind a dialog the rows stay, also where the focus is nowhere', () => {
  show();
  const { unmount } = render(<div role="dialog" aria-modal="true" />);
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(document.body);
  unmount();
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement?.matches('[data-row]')).toBe(true);
});

test('one row is in the tab order, and it is the one last used', () => {
  const { rowOf } = show();
  expect(rows.map(({ name }) => rowOf(name).tabIndex)).toEqual([0, -1, -1]);
  fireEvent.focus(rowOf('third'));
  expect(rows.map(({ name }) => rowOf(name).tabIndex)).toEqual([-1, -1, 0]);
});

test('a sortable header tells its order and asks for the other one', () => {
  const { onSort } = show();
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(onSort).toHaveBeenCalledWith('name');
  expect(screen.getByRole('columnheader', { name: 'Link' }).querySelector('button')).toBeNull();
});

test('phones sort by one select and turn the order around beside it', () => {
  const wide = window.matchMedia('(min-width: 0)');
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...wide,
    media,
    matches: media.includes('max-width'),
  }));
  onTestFinished(() => void vi.restoreAllMocks());
  const { onSort, change } = show();
  const by = screen.getByRole('combobox', { name: 'Sort by' });
  expect([...by.querySelectorAll('option')].map(({ text }) => text)).toEqual(['Name']);
  fireEvent.click(screen.getByRole('button', { name: 'Descending, turn it around' }));
  expect(onSort).toHaveBeenLastCalledWith('name');
  change({ sort: undefined });
  expect(screen.queryByRole('button', { name: /turn it around/ })).toBeNull();
  fireEvent.change(by, { target: { value: 'name' } });
  expect(onSort).toHaveBeenLastCalledWith('-name');
});

test('what can be done in the header stays in sight on phones: controls of its own', () => {
  const all = column.display({
    id: 'select',
    header: () => <input type="checkbox" aria-label="all" />,
    meta: { tool: true },
  });
  show({ columns: [all, ...columns] });
  const tools = screen.getAllByRole('columnheader').map((cell) => cell.hasAttribute('data-tool'));
  expect(tools).toEqual([true, false, false]);
  expect(screen.getByRole('table').querySelector('thead')?.hasAttribute('data-tools')).toBe(true);
});

test('a header in which nothing can be done takes no room on phones', () => {
  show({ columns: columns.slice(1) });
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.getByRole('table').querySelector('thead')?.hasAttribute('data-tools')).toBe(false);
});

test('without rows the empty state stands there', () => {
  show({ rows: [] });
  expect(screen.getByText('Nothing yet')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('a list stays reachable by keyboard when the row used last is gone', () => {
  const { rowOf, change } = show();
  fireEvent.focus(rowOf('third'));
  change({ rows: rows.slice(0, 2) });
  expect([rowOf('first').tabIndex, rowOf('second').tabIndex]).toEqual([0, -1]);
});

test('of a list that is read again only the rows that changed are drawn again', () => {
  const drawn: string[] = [];
  const counting = [
    column.accessor('name', {
      header: 'Name',
      cell: ({ getValue }) => {
        drawn.push(getValue());
        return getValue();
      },
    }),
  ];
  const opened = vi.fn();
  const table = (changed: readonly Row[]) => (
    <MantineProvider env="test">
      <DataTable
        label="Things"
        columns={counting}
        rows={changed}
        rowId={({ id }) => id}
        // Made anew each time, as screens do.
        onOpen={(row) => opened(row)}
        empty={null}
      />
    </MantineProvider>
  );
  const { rerender } = render(table(rows));
  drawn.length = 0;
  rerender(table(rows.map((row) => (row.id === '2' ? { ...row, name: 'changed' } : row))));
  expect(drawn).toEqual(['changed']);
  fireEvent.click(screen.getByText('changed'));
  expect(opened).toHaveBeenCalledWith({ id: '2', name: 'changed' });
});

test('a table scrolls by itself only while it is wider than its place', () => {
  let look: () => void = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        look = callback;
      }
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  show();
  const section = screen.getByRole('region', { name: 'Things' });
  const seenAt = (table: number, place: number) => {
    Object.defineProperty(screen.getByRole('table'), 'offsetWidth', { value: table, configurable: true });
    Object.defineProperty(section, 'clientWidth', { value: place, configurable: true });
    look();
    return section.hasAttribute('data-fits');
  };
  expect(seenAt(800, 800)).toBe(true);
  expect(seenAt(810, 800)).toBe(false);
  expect(seenAt(640, 640)).toBe(true);
});
