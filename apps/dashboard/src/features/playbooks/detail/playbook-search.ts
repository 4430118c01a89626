import { checkedSearch, choiceParam, pageParam, textParam, wholeNumberParam } from '../../../lib/search-params.ts';

/** Parts of one playbook's screen, in order. */
export const playbookPanels = ['overview', 'definition', 'versions', 'runs', 'used-by'] as const;
export type PlaybookPanel = (typeof playbookPanels)[number];

const STEP_ID_MAX = 63;

/**
 * `step` is the action to show in the definition, `page` that of the runs, from 1; `from` and `to` are the versions that
 * are compared. `tenant`, which overrides the current one, is the layout's.
 */
export function playbookSearch(search: Record<string, unknown>) {
  return checkedSearch({
    panel: choiceParam(search, 'panel', playbookPanels),
    step: textParam(search, 'step', STEP_ID_MAX),
    page: pageParam(search),
    from: wholeNumberParam(search, 'from', 1),
    to: wholeNumberParam(search, 'to', 1),
  });
}
