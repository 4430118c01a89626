import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { VendorPage } from '@airdeck/connector-kit/paging';
import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectsOf, textOf, textsOf } from '../answer-fields.ts';
import { configTextOr } from '../config-values.ts';
import { AWS, awsObject } from './aws-client.ts';

/** As many as one answer may have. */
export const FINDINGS_PAGE = 50;

/** The detector of the settings, or the one of the account in this region: GuardDuty has one in each. */
export async function detectorId(context: ConnectorContext): Promise<string> {
  const configured = configTextOr(context.config, 'detector_id', '');
  if (configured !== '') return configured;
  const answer = await awsObject(context, 'guardduty', { method: 'GET', path: '/detector' });
  const first = textsOf(answer.detectorIds)[0];
  if (first !== undefined && first !== '') return first;
  throw new VendorError('VENDOR_NOT_FOUND', 'GuardDuty is not switched on in this region.');
}

export function detectorPath(detector: string, ...rest: readonly string[]): string {
  return ['/detector', segment(detector), 'findings', ...rest].join('/');
}

export type FindingsQuery = {
  readonly detector: string;
  readonly criterion: JsonObject;
  readonly orderBy: 'ASC' | 'DESC';
  readonly count: number;
};

/** Findings by their last change. `cursor` undefined begins. */
export async function findingsPage(
  context: ConnectorContext,
  { detector, criterion, orderBy, count }: FindingsQuery,
  cursor: string | undefined,
): Promise<VendorPage<JsonObject, string>> {
  const answer = await awsObject(context, 'guardduty', {
    method: 'POST',
    path: detectorPath(detector),
    json: {
      findingCriteria: { criterion },
      sortCriteria: { attributeName: 'updatedAt', orderBy },
      maxResults: Math.min(count, FINDINGS_PAGE),
      ...(cursor === undefined ? {} : { nextToken: cursor }),
    },
    reads: true,
  });
  if (!Array.isArray(answer.findingIds)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${AWS} answered without a list of findings.`);
  }
  const ids = textsOf(answer.findingIds);
  const next = textOf(answer, 'nextToken');
  const items = ids.length === 0 ? [] : await findingsById(context, detector, ids);
  return { items, next: next === null || next === '' ? undefined : next };
}

/** In the order of `ids`, which are at most fifty; the answer has its own. What is not there any more is left out. */
export async function findingsById(
  context: ConnectorContext,
  detector: string,
  ids: readonly string[],
): Promise<JsonObject[]> {
  const answer = await awsObject(context, 'guardduty', {
    method: 'POST',
    path: detectorPath(detector, 'get'),
    json: { findingIds: ids },
    reads: true,
  });
  if (!Array.isArray(answer.findings)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${AWS} answered without findings.`);
  }
  const byId = new Map(objectsOf(answer.findings).map((finding) => [textOf(finding, 'id'), finding]));
  return ids.flatMap((id): JsonObject[] => {
    const finding = byId.get(id);
    return finding === undefined ? [] : [finding];
  });
}
