import { SettingsMap } from '@clickhouse/client';
import { codeOf } from '../events-process/sql-text.ts';
import { type EventsPlacement, tableOf } from './events-schema.ts';

/**
 * Second fence behind the tenant predicate of the statement: the engine adds this filter wherever the table of the rows is
 * read; on a cluster every shard does. The tenant must be a checked UUID.
 */
export function tenantFence(placement: EventsPlacement, tenant: string) {
  // The client puts the value between quotes as it is.
  const own = `tenant = \\'${tenant.toLowerCase()}\\'`;
  const table = tableOf(placement);
  return { additional_table_filters: SettingsMap.from({ [table]: own, [`${placement.database}.${table}`]: own }) };
}

const ways: readonly { pattern: RegExp; name: string }[] = [
  // Table functions that read a table under another name, which the filter does not cover, or the index of all rows.
  {
    pattern: /\b(?:merge(?:tree\w*)?|cluster\w*|remote\w*|loop|dictionary|eval|executable)\s*\(/i,
    name: 'a table function',
  },
  // Tables of the engine show statements, partitions and names of everybody. `fields.system.x` is a field.
  { pattern: /(?<![\w.])(?:system|information_schema)\s*\./i, name: 'a system table' },
];

/** What in the statement would reach events past the filter; undefined for every statement the search needs. */
export function wayAroundFence(sql: string): string | undefined {
  const code = codeOf(sql);
  return ways.find(({ pattern }) => pattern.test(code))?.name;
}
