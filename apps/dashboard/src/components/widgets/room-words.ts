import { plural } from '../../language/plural.ts';
import type { Room } from './widget-changes.ts';

/** "2 columns, 1 row". Apart from the changes, which the first visit loads. */
export function roomWords({ columns, rows }: Room): string {
  return `${plural(columns, '{count} column', '{count} columns')}, ${plural(rows, '{count} row', '{count} rows')}`;
}
