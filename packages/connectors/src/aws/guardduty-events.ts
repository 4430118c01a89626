import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, textOf } from '../answer-fields.ts';
import { fetchByTime } from '../time-keyed-fetch.ts';
import { detectorId, FINDINGS_PAGE, findingsPage } from './guardduty.ts';

/** A finding that happens again is the same one with a later change; the API may show a change some minutes late. */
const OVERLAP_MS = 300_000;

/** GuardDuty's findings as events, by their last change: one that goes on is an event each time. */
export async function fetchFindings(context: FetchContext): Promise<FetchPage> {
  const severity = numberOf(context.options, 'min_severity');
  const detector = await detectorId(context);
  return fetchByTime(context, {
    vendor: 'GuardDuty',
    pageSize: FINDINGS_PAGE,
    overlapMs: OVERLAP_MS,
    keyOf: (finding) => keyOf(finding),
    timeOf: (finding) => Date.parse(textOf(finding, 'updatedAt') ?? ''),
    async page(from, token) {
      const criterion = {
        updatedAt: { greaterThanOrEqual: from.getTime() },
        ...(severity === null ? {} : { severity: { greaterThanOrEqual: Math.floor(severity) } }),
      };
      const page = await findingsPage(context, { detector, criterion, orderBy: 'ASC', count: FINDINGS_PAGE }, token);
      return { records: page.items, next: page.next };
    },
  });
}

function keyOf(finding: JsonObject): string | null {
  const [id, changedAt] = [textOf(finding, 'id'), textOf(finding, 'updatedAt')];
  return id === null || changedAt === null ? null : `${id} ${changedAt}`;
}
