import { limits } from '@airdeck/contracts/limits';
import { checkedSearch, filterParam, filtersOf, flagParam, idParam, textParam } from '../../lib/search-params.ts';

const ACTION_ID_MAX = 200;
const INPUTS_MAX = 20;
const INPUT_TEXT_MAX = 2000;

/**
 * `action` is the action in the drawer; `settings` unfolds there what it takes and gives, and `input` is what its input
 * begins with, and `case` the case it answers, for screens that lead here with something to act on.
 */
export function actionsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    action: textParam(search, 'action', ACTION_ID_MAX),
    input: inputParam(search),
    case: idParam(search, 'case'),
    settings: flagParam(search, 'settings') === true ? true : undefined,
    filters: filtersOf({ vendor: filterParam(search, 'vendor') }),
  });
}

/** Texts by the names of inputs; what is anything else is left out. */
function inputParam({ input }: Record<string, unknown>): Record<string, string> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const texts = Object.entries(input).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= INPUT_TEXT_MAX,
  );
  return texts.length === 0 || texts.length > INPUTS_MAX ? undefined : Object.fromEntries(texts);
}

export type ActionsSearch = ReturnType<typeof actionsSearch>;
