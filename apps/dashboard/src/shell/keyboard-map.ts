import { destinations } from './destinations.ts';

type Shortcut = { readonly keys: readonly string[]; readonly does: string };
type Shortcuts = { readonly title: string; readonly rows: readonly Shortcut[] };

/** Every key the dashboard listens to. A new one gets its line here. */
export const keyboardMap: readonly Shortcuts[] = [
  {
    title: 'Everywhere',
    rows: [
      { keys: ['Ctrl', 'K'], does: 'Jump to a screen, case, playbook, action or tenant' },
      { keys: ['?'], does: 'Show this' },
      { keys: ['Esc'], does: 'Close what lies on top' },
    ],
  },
  {
    title: 'Go to',
    rows: destinations.flatMap(({ key, label }) => (key === undefined ? [] : [{ keys: ['g', key], does: label }])),
  },
  {
    title: 'In lists',
    rows: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Row before' },
      { keys: ['Enter'], does: 'Open the row' },
      { keys: ['o'], does: 'Open the case beside the list' },
      { keys: ['x'], does: 'Choose the case' },
    ],
  },
  {
    title: 'In search',
    rows: [
      { keys: ['/'], does: 'Go to the query' },
      { keys: ['j'], does: 'Next event of the list, while one is open' },
      { keys: ['k'], does: 'Previous event of the list, while one is open' },
    ],
  },
];
