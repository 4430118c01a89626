import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { expect, test } from 'vitest';
import { summarise } from './case-facets.ts';

const cells = [
  { status: 'open', severity: 'high', category: 'authentication', log_sources: ['sshd'], count: 3 },
  { status: 'open', severity: 'low', category: 'traffic', log_sources: ['fortigate', 'sshd'], count: 2 },
  { status: 'closed', severity: 'high', category: '', log_sources: ['okta'], count: 1 },
];

function counts(list: { value: string; count: number }[]) {
  return list.filter((one) => one.count > 0).map(({ value, count }) => `${value} ${count}`);
}

test('without filters everything counts, in the order of severity and by number', () => {
  const { total, facets } = summarise(cells, caseListQuerySchema.parse({}));
  expect(total).toBe(6);
  expect(counts(facets.status)).toEqual(['open 5', 'closed 1']);
  expect(counts(facets.severity)).toEqual(['high 4', 'low 2']);
  expect(counts(facets.source)).toEqual(['sshd 5', 'fortigate 2', 'okta 1']);
  expect(counts(facets.category)).toEqual(['authentication 3', 'traffic 2']);
  expect(facets.severity.map((one) => one.value)).toEqual(['critical', 'high', 'medium', 'low']);
});

test('a facet ignores its own filter and obeys the others', () => {
  const query = caseListQuerySchema.parse({ status: 'open', source: 'okta,fortigate' });
  const { total, facets } = summarise(cells, query);
  expect(total).toBe(2);
  expect(counts(facets.status)).toEqual(['open 2', 'closed 1']);
  expect(counts(facets.source)).toEqual(['sshd 5', 'fortigate 2']);
  expect(counts(facets.severity)).toEqual(['low 2']);
});
