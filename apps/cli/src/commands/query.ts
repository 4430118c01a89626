import {
  type FoundEvent,
  type SearchAnswer,
  type SearchOrder,
  searchAnswerSchema,
  searchLimits,
  searchOrders,
} from '@airdeck/contracts/search/schema';
import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { ask, type Refusal, type Server, serverFor } from '../server-access.ts';
import type { Surroundings } from '../surroundings.ts';

const LIMIT_MAX = 100_000;
const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

type Options = { tenant: string; last: string; limit: string; sort: string; json?: true };
type Search = { tenant: string; query: string; start: number; end: number; limit: number; sort: SearchOrder };

export function addQuery(program: Command, surroundings: Surroundings): void {
  program
    .command('query')
    .description('search events of a tenant')
    .argument('<search>', 'in the language of docs/search.md; "" is everything')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--last <time>', 'how far back, such as 15m, 24h or 7d', '24h')
    .option('--limit <events>', 'how many events at most', '100')
    .option('--sort <order>', `which come first, ${searchOrders.join(' or ')}`, 'newest')
    .option('--json', 'one event as JSON per line')
    .action(async (query: string, options: Options) => {
      const end = surroundings.now();
      const search = {
        tenant: options.tenant,
        query,
        start: end - lengthOf(options.last),
        // What arrived just now, by a clock that is a little ahead.
        end: end + 60_000,
        limit: countOf(options.limit),
        sort: orderOf(options.sort),
      };
      const server = await serverFor(surroundings, options.tenant);
      await printAll(surroundings, server, search, options.json === true);
    });
}

function lengthOf(text: string): number {
  const found = /^(\d{1,6})([smhdw])$/.exec(text);
  const unit = found?.[2] as keyof typeof unitsMs | undefined;
  const length = unit === undefined ? 0 : Number(found?.[1]) * unitsMs[unit];
  if (length === 0) throw inputError('TIME_INVALID', `"${text}" is not a length of time, such as 15m, 24h or 7d.`);
  return length;
}

function countOf(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > LIMIT_MAX)
    throw inputError('LIMIT_INVALID', `--limit takes a number from 1 to ${LIMIT_MAX}.`);
  return count;
}

function orderOf(text: string): SearchOrder {
  const order = searchOrders.find((each) => each === text);
  if (order === undefined) throw inputError('ORDER_INVALID', `--sort takes ${searchOrders.join(' or ')}.`);
  return order;
}

async function printAll(surroundings: Surroundings, server: Server, search: Search, json: boolean): Promise<void> {
  const { result, say } = surroundings;
  let left = search.limit;
  let cursor: string | null = null;
  let shown = 0;
  const failed = new Set<string>();
  do {
    const page: SearchAnswer = await pageOf(surroundings, server, search, {
      cursor,
      limit: Math.min(left, searchLimits.eventsMax),
    });
    for (const event of page.events) result(json ? JSON.stringify(event) : lineOf(event));
    shown += page.events.length;
    left -= page.events.length;
    if (cursor === null) tell(say, page);
    // A source may answer the first page and none after it.
    for (const { connector_id: id, name, state, message } of page.sources) {
      if (state === 'failed' && !failed.has(id)) say(`${name}: ${message}`);
      if (state === 'failed') failed.add(id);
    }
    cursor = page.cursor;
  } while (cursor !== null && left > 0);
  say(`${shown} shown${cursor === null ? '' : '; there are more'}.`);
}

function tell(say: (line: string) => void, { total, time_range, partial, sources }: SearchAnswer): void {
  const live = sources.filter(({ state }) => state === 'answered').map(({ found, name }) => `${found} from ${name}`);
  const stored = `${total.relation === 'gte' ? 'At least ' : ''}${total.value} ${live.length === 0 ? 'found' : 'stored'}`;
  say(`${[stored, ...live].join(', ')} since ${time_range.start}.`);
  if (time_range.clipped) say(`The plan searches ${time_range.search_length_days} days back.`);
  if (partial) say('Not everything was searched to the end.');
}

async function pageOf(
  surroundings: Surroundings,
  server: Server,
  { tenant, query, start, end, sort }: Search,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<SearchAnswer> {
  const time_range = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  return await ask(surroundings, server, {
    path: `/api/tenants/${encodeURIComponent(tenant)}/search`,
    body: { query, time_range, limit, sort, ...(cursor === null ? {} : { cursor }) },
    schema: searchAnswerSchema,
    kind: 'a search',
    words: (refusal) => whereItIsWrong(refusal, query),
  });
}

/** A query that cannot run is shown with the place that is wrong. */
function whereItIsWrong({ message, details }: Refusal, query: string): string | undefined {
  if (message === undefined) return undefined;
  const [detail] = details ?? [];
  const place =
    detail?.start === undefined || query.includes('\n') ? '' : `\n  ${query}\n  ${' '.repeat(detail.start)}^`;
  const advice = detail?.suggestion === undefined ? '' : `\n${detail.suggestion}`;
  return `${message}${place}${advice}`;
}

/** What people look for first, on one line. */
function lineOf({ time, severity, integration, event_type, host, message, raw }: FoundEvent): string {
  const text = (message === '' ? raw : message).replaceAll(/\s+/g, ' ').slice(0, 300);
  const columns = [time, severity.padEnd(8), `${integration}:${event_type}`, host, withoutControls(text)];
  return columns.filter((column) => column.trim() !== '').join('  ');
}

/** Log lines may hold what a terminal obeys. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '·');
}
