import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, textAt, textOf } from '../answer-fields.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { githubAction } from './github-action.ts';
import { githubItems, orgPath } from './github-client.ts';

export const includeSchema = {
  type: 'string',
  title: 'Events of',
  description: 'The web interface and API, Git, or both.',
  enum: ['web', 'git', 'all'],
  default: 'web',
};

export const listOrgAuditLog = githubAction({
  verb: 'list_org_audit_log',
  friendly_name: 'List organization audit log',
  description: 'Entries of the audit log of the organization, newest first. Needs GitHub Enterprise.',
  input: {
    phrase: {
      type: 'string',
      title: 'Search phrase',
      description: 'In the syntax of the audit log: actor:octocat action:repo.create created:>=2026-11-01',
      maxLength: 500,
    },
    include: includeSchema,
    limit: limitSchema(100, 1000),
  },
  output: {
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: ['string', 'null'] },
          at: { type: ['string', 'null'] },
          action: { type: ['string', 'null'] },
          actor: { type: ['string', 'null'] },
          user: { type: ['string', 'null'] },
          repository: { type: ['string', 'null'] },
          country_code: { type: ['string', 'null'] },
        },
      },
    },
    has_more: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const { items, isCut } = await githubItems(context, {
      path: orgPath(context, 'audit-log'),
      query: {
        phrase: optionalText(context, 'phrase', { max: 500 }),
        include: optionalText(context, 'include', { max: 3, pattern: /^(?:web|git|all)$/ }) ?? 'web',
      },
      limit: inputCount(context, 'limit', { fallback: 100, max: 1000 }),
    });
    return { entries: items.map(shortEntry), has_more: isCut };
  },
});

/** Milliseconds since 1970 of an entry; null when it has no usable time. */
export function entryTime(entry: JsonObject): number | null {
  return numberOf(entry, '@timestamp') ?? numberOf(entry, 'created_at');
}

function shortEntry(entry: JsonObject): JsonObject {
  const at = entryTime(entry);
  const isDate = at !== null && Math.abs(at) <= 8.64e15;
  return {
    id: textOf(entry, '_document_id'),
    at: isDate ? new Date(at).toISOString() : null,
    action: textOf(entry, 'action'),
    actor: textOf(entry, 'actor'),
    user: textOf(entry, 'user'),
    repository: textOf(entry, 'repo'),
    country_code: textAt(entry, 'actor_location', 'country_code'),
  };
}
