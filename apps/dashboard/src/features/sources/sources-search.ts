import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, textParam } from '../../lib/search-params.ts';

/** The source that is open beside the list. */
export function sourcesSearch(search: Record<string, unknown>) {
  const id = textParam(search, 'source', 36)?.toLowerCase();
  return checkedSearch({ source: id !== undefined && isUuid(id) ? id : undefined });
}
