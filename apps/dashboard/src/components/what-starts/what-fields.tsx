import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { actionQueries } from '../../queries/actions.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { playbookQueries } from '../../queries/playbooks.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EffectBadge } from '../effect-badge.tsx';
import { type FieldProblem, problemsAt } from '../expression/field-problems.ts';
import classes from './what-starts.module.css';

/** What an automation starts; an empty id is not chosen yet. */
export type WhatStarts = {
  type: 'action' | 'playbook';
  definitionId: string;
  connectorId: string | null;
  inputs: JsonObject;
};

type Props = {
  draft: WhatStarts;
  /** At `definition_id` and `connector_id`. */
  problems: readonly FieldProblem[];
  /** Before the ids of its fields: several may stand on one page. */
  idPrefix: string;
  onChange: (part: Partial<WhatStarts>) => void;
};

/** What it starts: a playbook, or one action and the connector it runs on. */
export function WhatFields({ onChange, ...props }: Props) {
  const { type } = props.draft;
  return (
    <>
      <SegmentedControl
        className={classes.types ?? ''}
        aria-label={t('It starts')}
        data={[
          { value: 'playbook', label: t('A playbook') },
          { value: 'action', label: t('One action') },
        ]}
        value={type}
        onChange={(next) => {
          if (next === type) return;
          const chosen = next === 'action' ? 'action' : 'playbook';
          onChange({ type: chosen, definitionId: '', connectorId: null, inputs: {} });
        }}
      />
      {type === 'playbook' ? (
        <PlaybookField {...props} onChange={onChange} />
      ) : (
        <ActionField {...props} onChange={onChange} />
      )}
    </>
  );
}

function PlaybookField({ draft, problems, idPrefix, onChange }: Props) {
  const list = useQuery(playbookQueries.list(useTenantApi()));
  const published = (list.data ?? []).filter(({ version }) => version > 0);
  const chosen = published.find(({ id }) => id === draft.definitionId);
  const isGone = draft.definitionId !== '' && list.data !== undefined && chosen === undefined;
  return (
    <>
      <Select
        id={`${idPrefix}-definition_id`}
        label={t('Playbook')}
        placeholder={t('Search playbooks')}
        searchable
        required
        value={draft.definitionId === '' ? null : draft.definitionId}
        error={
          problemsAt(problems, 'definition_id')[0]?.message ??
          (isGone ? t('This playbook is gone or not published.') : undefined)
        }
        data={published.map(({ id, metadata }) => ({ value: id, label: metadata.name }))}
        nothingFoundMessage={t('No published playbook fits.')}
        onChange={(next) => onChange({ definitionId: next ?? '', inputs: {} })}
        maxDropdownHeight={280}
      />
      {chosen === undefined ? null : (
        <p className={classes.about}>
          {chosen.metadata.description}{' '}
          <Link className={classes.link} to="/playbooks/$id" params={{ id: chosen.id }}>
            {t('Open the playbook')}
          </Link>
        </p>
      )}
    </>
  );
}

function ActionField({ draft, problems, idPrefix, onChange }: Props) {
  const list = useQuery(actionQueries.list(useTenantApi()));
  const actions = list.data ?? [];
  const chosen = actions.find(({ action_id }) => action_id === draft.definitionId);
  const isGone = draft.definitionId !== '' && list.data !== undefined && chosen === undefined;
  return (
    <>
      <Select
        id={`${idPrefix}-definition_id`}
        label={t('Action')}
        placeholder={t('Search actions, such as block address')}
        searchable
        required
        value={draft.definitionId === '' ? null : draft.definitionId}
        error={
          problemsAt(problems, 'definition_id')[0]?.message ?? (isGone ? t('This action no longer exists.') : undefined)
        }
        data={grouped(actions)}
        nothingFoundMessage={t('No action fits.')}
        onChange={(next) => onChange({ definitionId: next ?? '', connectorId: null, inputs: {} })}
        maxDropdownHeight={280}
      />
      {chosen === undefined ? null : (
        <>
          <p className={classes.about}>
            <EffectBadge effect={chosen.effect} variant="plain" /> {chosen.description}
          </p>
          {chosen.requires_connector ? (
            <ConnectorField
              id={`${idPrefix}-connector_id`}
              action={chosen}
              value={draft.connectorId}
              problem={problemsAt(problems, 'connector_id')[0]?.message}
              onChange={(connectorId) => onChange({ connectorId })}
            />
          ) : null}
        </>
      )}
    </>
  );
}

/** By integration, whose name is searched too. */
function grouped(actions: readonly ActionDefinition[]) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { action_id, friendly_name, product } of actions) {
    groups.set(product, [...(groups.get(product) ?? []), { value: action_id, label: `${friendly_name} · ${product}` }]);
  }
  return [...groups].toSorted(([one], [other]) => one.localeCompare(other)).map(([group, items]) => ({ group, items }));
}

type ConnectorProps = {
  id: string;
  action: ActionDefinition;
  value: string | null;
  problem: string | undefined;
  onChange: (id: string | null) => void;
};

function ConnectorField({ id, action, value, problem, onChange }: ConnectorProps) {
  const list = useQuery(connectorQueries.list(useTenantApi()));
  const own = (list.data ?? []).filter(({ definition_id }) => definition_id === action.definition_id);
  const standard = own.find((connector) => connector.default);
  const isGone = value !== null && list.data !== undefined && !own.some((connector) => connector.id === value);
  return (
    <NativeSelect
      id={id}
      label={t('Connector')}
      value={value ?? ''}
      error={
        problem ??
        (isGone
          ? t('This connector was deleted. Choose another one.')
          : list.data !== undefined && own.length === 0
            ? t('No connector for {product} is set up yet.', { product: action.product })
            : undefined)
      }
      data={[
        {
          value: '',
          label: standard === undefined ? t('The default one') : t('The default one ({name})', { name: standard.name }),
        },
        ...own.map(({ id: each, name, enabled }) => ({
          value: each,
          label: enabled ? name : t('{name} · paused', { name }),
        })),
        ...(isGone && value !== null ? [{ value, label: t('A connector that is gone') }] : []),
      ]}
      onChange={({ currentTarget: { value: next } }) => onChange(next === '' ? null : next)}
    />
  );
}
