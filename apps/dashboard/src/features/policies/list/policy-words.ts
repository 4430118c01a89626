import type { Policy, PolicyOriginKind } from '@airdeck/contracts/policies/schema';
import { t } from '../../../language/translate.ts';
import type { SourceChoice } from '../draft/policy-draft.ts';

export const originWords: Readonly<Record<PolicyOriginKind, string>> = {
  own: t('Own'),
  starter: t('Shipped'),
  sigma: t('Sigma'),
  provider: t('Provider'),
};

/** "sshd", "windows · process", "any source". */
export function sourceWords({ connector_definition_id, event_type }: SourceChoice): string {
  if (connector_definition_id === '')
    return event_type === '' ? t('any source') : t('any source · {type}', { type: event_type });
  return event_type === '' ? connector_definition_id : `${connector_definition_id} · ${event_type}`;
}

/** All sources of a policy; several event types of one integration are one. */
export function sourcesInShort({ rule }: Pick<Policy, 'rule'>): string {
  const { source } = rule.logic;
  const names = [source, ...(source.also ?? [])].map(({ connector_definition_id }) => connector_definition_id || 'any');
  return [...new Set(names)].join(', ');
}

/** Address of a technique at MITRE ATT&CK. */
export function techniqueAddress(technique: string): string {
  return `https://attack.mitre.org/techniques/${technique.replace('.', '/')}/`;
}
