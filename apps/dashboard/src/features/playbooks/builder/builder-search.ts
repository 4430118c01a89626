import { checkedSearch, choiceParam, textParam } from '../../../lib/search-params.ts';

export const builderViews = ['graph', 'yaml'] as const;
export type BuilderView = (typeof builderViews)[number];

/** `view` is how the playbook shows; the graph when left out. */
export function builderSearch(search: Record<string, unknown>) {
  return checkedSearch({ view: choiceParam(search, 'view', builderViews) });
}

/** `from` is the id of the playbook to begin with. */
export function newPlaybookSearch(search: Record<string, unknown>) {
  return checkedSearch({ from: textParam(search, 'from', 40) });
}
