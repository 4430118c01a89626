import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { collectPages } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textAt, textOf } from '../answer-fields.ts';
import { inputTime } from '../time-input.ts';
import { inputCount, inputText, limitSchema } from '../vendor-action.ts';
import { awsAction, nullableText } from './aws-action.ts';
import { AWS, awsObject } from './aws-client.ts';
import { detectorId, detectorPath, FINDINGS_PAGE, findingsById, findingsPage } from './guardduty.ts';

const FINDING_ID = { max: 300, pattern: /^[\w-]+$/, like: 'the id of a finding' };
const LIST = { fallback: 50, max: 500 };

const findingOutput: JsonObject = {
  id: { type: 'string' },
  type: nullableText,
  title: nullableText,
  description: nullableText,
  severity: { type: ['number', 'null'], description: 'From 1 to 10.' },
  account_id: nullableText,
  region: nullableText,
  resource_type: nullableText,
  user_name: { ...nullableText, description: 'Of findings about an access key.' },
  access_key_id: nullableText,
  instance_id: nullableText,
  count: { type: ['number', 'null'] },
  archived: { type: ['boolean', 'null'] },
  first_seen_at: nullableText,
  last_seen_at: nullableText,
  updated_at: nullableText,
};

function findingFacts(finding: JsonObject): JsonObject {
  const service = objectOf(finding.service);
  return {
    id: textOf(finding, 'id') ?? '',
    type: textOf(finding, 'type'),
    title: textOf(finding, 'title'),
    description: textOf(finding, 'description'),
    severity: numberOf(finding, 'severity'),
    account_id: textOf(finding, 'accountId'),
    region: textOf(finding, 'region'),
    resource_type: textAt(finding, 'resource', 'resourceType'),
    user_name: textAt(finding, 'resource', 'accessKeyDetails', 'userName'),
    access_key_id: textAt(finding, 'resource', 'accessKeyDetails', 'accessKeyId'),
    instance_id: textAt(finding, 'resource', 'instanceDetails', 'instanceId'),
    count: numberOf(service, 'count'),
    archived: typeof service.archived === 'boolean' ? service.archived : null,
    first_seen_at: textOf(service, 'eventFirstSeen'),
    last_seen_at: textOf(service, 'eventLastSeen'),
    updated_at: textOf(finding, 'updatedAt'),
  };
}

const listFindings = awsAction({
  verb: 'list_findings',
  friendly_name: 'List GuardDuty findings',
  description: 'Lists findings, the ones changed last first.',
  effect: 'reads',
  idempotent: true,
  input: {
    min_severity: {
      type: 'integer',
      title: 'Severity at least',
      description: 'From 1 to 10.',
      minimum: 1,
      maximum: 10,
    },
    changed_since: { type: 'string', title: 'Changed since', format: 'date-time', maxLength: 35 },
    include_archived: { type: 'boolean', title: 'Archived ones too', default: false },
    limit: limitSchema(LIST.fallback, LIST.max),
  },
  output: {
    findings: { type: 'array', items: { type: 'object', properties: findingOutput } },
    is_cut: { type: 'boolean' },
  },
  timeout_s: 60,

  async run(context) {
    const limit = inputCount(context, 'limit', LIST);
    const criterion = criterionOf(context);
    const detector = await detectorId(context);
    const { items, isCut } = await collectPages<JsonObject, string>({
      vendor: AWS,
      first: '',
      maxItems: limit,
      fetch: (token) =>
        findingsPage(context, { detector, criterion, orderBy: 'DESC', count: limit }, token === '' ? undefined : token),
    });
    return { findings: items.map(findingFacts), is_cut: isCut };
  },
});

function criterionOf(context: ActionContext): JsonObject {
  const { min_severity: severity, include_archived: withArchived } = context.input;
  const since = inputTime(context, 'changed_since');
  return {
    ...(withArchived === true ? {} : { 'service.archived': { equals: ['false'] } }),
    // The bound of the API is a whole number.
    ...(typeof severity === 'number' ? { severity: { greaterThanOrEqual: Math.floor(severity) } } : {}),
    ...(since === undefined ? {} : { updatedAt: { greaterThanOrEqual: since.getTime() } }),
  };
}

const getFinding = awsAction({
  verb: 'get_finding',
  friendly_name: 'Get GuardDuty finding',
  description: 'Reads one finding.',
  effect: 'reads',
  idempotent: true,
  input: { finding_id: { type: 'string', title: 'Finding', minLength: 1, maxLength: FINDING_ID.max } },
  required: ['finding_id'],
  output: { ...findingOutput, raw: { type: 'object', description: 'The finding as AWS gave it.' } },

  async run(context) {
    const id = inputText(context, 'finding_id', FINDING_ID);
    const [finding] = await findingsById(context, await detectorId(context), [id]);
    if (finding === undefined) throw new VendorError('VENDOR_NOT_FOUND', `GuardDuty has no finding ${id}.`);
    return { ...findingFacts(finding), raw: finding };
  },
});

const archiveFindings = awsAction({
  verb: 'archive_findings',
  friendly_name: 'Archive GuardDuty findings',
  description: 'Archives findings that were dealt with. They are kept and can still be read.',
  effect: 'changes',
  idempotent: true,
  input: {
    finding_ids: {
      type: 'array',
      title: 'Findings',
      items: { type: 'string', minLength: 1, maxLength: FINDING_ID.max },
      minItems: 1,
      maxItems: FINDINGS_PAGE,
    },
  },
  required: ['finding_ids'],
  output: { finding_ids: { type: 'array', items: { type: 'string' } } },

  async run(context) {
    const ids = inputIds(context.input.finding_ids);
    const detector = await detectorId(context);
    // A member that is not there would make AWS refuse all of them, or none: said before anything is changed.
    const found = await findingsById(context, detector, ids);
    if (found.length < ids.length) {
      throw new VendorError('VENDOR_NOT_FOUND', 'GuardDuty does not have all of these findings.');
    }
    await awsObject(context, 'guardduty', {
      method: 'POST',
      path: detectorPath(detector, 'archive'),
      json: { findingIds: ids },
      idempotent: true,
    });
    return { finding_ids: ids };
  },
});

function inputIds(value: unknown): string[] {
  const ids = Array.isArray(value) ? [...new Set(value)] : [];
  if (ids.length < 1 || ids.length > FINDINGS_PAGE) {
    throw new VendorError('VENDOR_REJECTED', `"finding_ids" must name 1 to ${FINDINGS_PAGE} findings.`);
  }
  return ids.map((id) => inputText({ input: { finding_ids: id } }, 'finding_ids', FINDING_ID));
}

export const findingActions: readonly ActionDefinition[] = [listFindings, getFinding, archiveFindings];
