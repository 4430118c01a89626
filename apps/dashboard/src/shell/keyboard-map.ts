import { t } from '../language/translate.ts';
import { destinations } from './destinations.ts';

type Shortcut = { readonly keys: readonly string[]; readonly does: string };
type Shortcuts = { readonly title: string; readonly rows: readonly Shortcut[] };

/** Every key the dashboard listens to. A new one gets its line here, and one that is pressed alone asks `singleKeysOn`. */
export const keyboardMap: readonly Shortcuts[] = [
  {
    title: t('Everywhere'),
    rows: [
      { keys: ['Ctrl', 'K'], does: t('Jump to a screen, case, playbook, action or tenant') },
      { keys: ['?'], does: t('Show this') },
      { keys: ['Esc'], does: t('Close what lies on top') },
    ],
  },
  {
    title: t('Go to'),
    rows: destinations.flatMap(({ key, label }) => (key === undefined ? [] : [{ keys: ['g', key], does: label }])),
  },
  {
    title: t('In lists'),
    rows: [
      { keys: ['j'], does: t('Next row') },
      { keys: ['k'], does: t('Row before') },
      { keys: ['Enter'], does: t('Open the row') },
      { keys: ['o'], does: t('Open the case beside the list') },
      { keys: ['x'], does: t('Choose the case') },
    ],
  },
  {
    title: t('In search'),
    rows: [
      { keys: ['/'], does: t('Go to the query') },
      { keys: ['j'], does: t('Next event of the list, while one is open') },
      { keys: ['k'], does: t('Previous event of the list, while one is open') },
    ],
  },
];
