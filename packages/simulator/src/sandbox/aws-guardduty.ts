import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AwsMemory, DETECTOR, type Finding, offsetOf, pageToken } from './aws-data.ts';
import { awsError, jsonBody } from './aws-errors.ts';
import { integerOf, listOf, objectOf, textOf } from './request-values.ts';

type DetectorRoute = { Params: { detector: string }; Body: unknown };

/** Detectors and findings, as a REST service of JSON. */
export function registerGuardduty(app: FastifyInstance, current: () => AwsMemory): void {
  app.get('/detector', async () => ({ detectorIds: [DETECTOR] }));
  app.post<DetectorRoute>('/detector/:detector/findings', async (request, reply) => {
    if (request.params.detector !== DETECTOR) return notOurs(reply);
    return listFindings(current(), objectOf(jsonBody(request)), reply);
  });
  app.post<DetectorRoute>('/detector/:detector/findings/get', async (request, reply) => {
    const ids = idsOf(jsonBody(request));
    if (request.params.detector !== DETECTOR) return notOurs(reply);
    if (ids === undefined) return invalid(reply, 'The request is rejected because findingIds is not valid.');
    // Not in the order of the request, as at the vendor.
    return { findings: [...current().findings.values()].filter(({ id }) => ids.includes(id)) };
  });
  app.post<DetectorRoute>('/detector/:detector/findings/archive', async (request, reply) => {
    const ids = idsOf(jsonBody(request));
    if (request.params.detector !== DETECTOR) return notOurs(reply);
    if (ids === undefined) return invalid(reply, 'The request is rejected because findingIds is not valid.');
    for (const id of ids) {
      const finding = current().findings.get(id);
      if (finding !== undefined) finding.service.archived = true;
    }
    return {};
  });
}

const MAX_IDS = 50;

function idsOf(body: unknown): string[] | undefined {
  const ids = listOf(objectOf(body).findingIds);
  const isGood =
    ids.length > 0 && ids.length <= MAX_IDS && ids.every((id) => typeof id === 'string' && id.length <= 300);
  return isGood ? (ids as string[]) : undefined;
}

function listFindings(memory: AwsMemory, body: Record<string, unknown>, reply: FastifyReply): unknown {
  const criterion = objectOf(objectOf(body.findingCriteria).criterion);
  const sort = objectOf(body.sortCriteria);
  const count = integerOf(body.maxResults, MAX_IDS);
  const unknown = Object.keys(criterion).find((name) => !Object.hasOwn(criteria, name));
  if (count < 1 || count > MAX_IDS || unknown !== undefined || textOf(sort.attributeName) !== 'updatedAt') {
    return invalid(
      reply,
      'The request is rejected because an invalid or out-of-range value is specified as an input parameter.',
    );
  }
  const search = JSON.stringify([criterion, sort]);
  const offset = offsetOf(memory, search, textOf(body.nextToken));
  if (offset === undefined) return invalid(reply, 'The request is rejected because the input token is invalid.');
  const found = [...memory.findings.values()]
    .filter((finding) => Object.entries(criterion).every(([name, rule]) => criteria[name]?.(finding, objectOf(rule))))
    .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt));
  if (sort.orderBy === 'DESC') found.reverse();
  const ids = found.slice(offset, offset + count).map(({ id }) => id);
  const isLast = offset + count >= found.length;
  return { findingIds: ids, nextToken: isLast ? '' : pageToken(memory, search, offset + count) };
}

/** The fields a search can be narrowed by here. */
const criteria: Readonly<Record<string, (finding: Finding, rule: Record<string, unknown>) => boolean>> = {
  severity: (finding, rule) => finding.severity >= Number(rule.greaterThanOrEqual),
  updatedAt: (finding, rule) => Date.parse(finding.updatedAt) >= Number(rule.greaterThanOrEqual),
  'service.archived': (finding, rule) => listOf(rule.equals).includes(String(finding.service.archived)),
};

function invalid(reply: FastifyReply, message: string): FastifyReply {
  return awsError(reply, 400, 'BadRequestException', message);
}

function notOurs(reply: FastifyReply): FastifyReply {
  return invalid(reply, 'The request is rejected because the input detectorId is not owned by the current account.');
}
