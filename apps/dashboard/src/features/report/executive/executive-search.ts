import { checkedSearch, choiceParam } from '../../../lib/search-params.ts';

const dialogs = ['new', 'settings'] as const;

/** `open` is the dialog that lies over the list. */
export function executiveSearch(search: Record<string, unknown>) {
  return checkedSearch({ open: choiceParam(search, 'open', dialogs) });
}
