import type { SearchScope } from '@airdeck/contracts/search/schema';
import { Button, Checkbox, NativeSelect, Popover, TextInput } from '@mantine/core';
import { IconChevronDown, IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { t } from '../../language/translate.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { searchQueries } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import classes from './source-picker.module.css';
import { isPicked, scopesText, scopeTree, togglePicked } from './source-scopes.ts';

type Props = {
  integrations: readonly string[];
  connectorId: string | undefined;
  onChange: (integrations: string[] | undefined) => void;
  onConnector: (id: string | undefined) => void;
};

/** Where the events come from: integrations and their event types, and the connector that fetched them. */
export function SourcePicker({ integrations, connectorId, onChange, onConnector }: Props) {
  const [opened, setOpened] = useState(false);
  const text = scopesText(integrations);
  return (
    <Popover position="bottom-start" opened={opened} onChange={setOpened} trapFocus returnFocus width={320}>
      <Popover.Target>
        <Button
          variant={integrations.length === 0 && connectorId === undefined ? 'default' : 'light'}
          h={36}
          maw={260}
          leftSection={<IconDatabase size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={t('Sources: {text}', { text })}
          onClick={() => setOpened(!opened)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        {opened ? <Choices {...{ integrations, connectorId, onChange, onConnector }} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ integrations, connectorId, onChange, onConnector }: Props) {
  const tenantApi = useTenantApi();
  const scopes = useQuery(searchQueries.scopes(tenantApi));
  const connectors = useQuery(connectorQueries.list(tenantApi));
  const [wanted, setWanted] = useState('');
  return (
    <div className={classes.choices}>
      <TextInput
        size="xs"
        aria-label={t('Find a source')}
        placeholder={t('Find an integration or event type')}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        data-autofocus
      />
      {scopes.data !== undefined ? (
        <ScopeList scopes={scopes.data} wanted={wanted} integrations={integrations} onChange={onChange} />
      ) : scopes.isError ? (
        <ErrorState error={scopes.error} onRetry={() => void scopes.refetch()} retrying={scopes.isFetching} />
      ) : (
        <p className={classes.none} role="status">
          {t('Loading …')}
        </p>
      )}
      <div className={classes.foot}>
        {connectors.data === undefined || connectors.data.length === 0 ? null : (
          <NativeSelect
            size="xs"
            label={t('Fetched by')}
            value={connectorId ?? ''}
            data={[
              { value: '', label: t('Any connector, or none') },
              ...connectors.data.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => onConnector(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
          />
        )}
        {integrations.length === 0 ? null : (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(undefined)}>
            {t('All sources')}
          </Button>
        )}
      </div>
    </div>
  );
}

type ListProps = {
  scopes: readonly SearchScope[];
  wanted: string;
  integrations: readonly string[];
  onChange: Props['onChange'];
};

function ScopeList({ scopes, wanted, integrations, onChange }: ListProps) {
  const tree = useMemo(() => scopeTree(scopes, integrations, wanted), [scopes, integrations, wanted]);
  if (tree.length === 0) {
    return (
      <p className={classes.none}>
        {scopes.length === 0 ? t('No events have come in yet.') : t('No source has this name.')}
      </p>
    );
  }
  return (
    <ul className={classes.list} aria-label={t('Sources')}>
      {tree.map(({ integration, events, types }) => (
        <li key={integration}>
          <Choice
            label={integration}
            events={events}
            checked={isPicked(integrations, integration)}
            partly={types.some(({ entry }) => integrations.includes(entry))}
            onChange={() => onChange(togglePicked(integrations, integration))}
          />
          <ul className={classes.types}>
            {types.map(({ entry, eventType, events: ofType }) => (
              <li key={entry}>
                <Choice
                  label={eventType}
                  name={`${integration} ${eventType}`}
                  events={ofType}
                  checked={isPicked(integrations, entry)}
                  onChange={() => onChange(togglePicked(integrations, entry))}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

type ChoiceProps = {
  label: string;
  /** Accessible name, where the label alone is not enough. */
  name?: string;
  events: number;
  checked: boolean;
  partly?: boolean;
  onChange: () => void;
};

function Choice({ label, name, events, checked, partly = false, onChange }: ChoiceProps) {
  return (
    <Checkbox
      size="xs"
      className={classes.choice ?? ''}
      aria-label={name ?? label}
      checked={checked}
      indeterminate={partly && !checked}
      onChange={onChange}
      label={
        <span className={classes.label}>
          <span className={classes.text}>{label}</span>
          <span className={classes.count}>
            <Count value={events} />
          </span>
        </span>
      }
    />
  );
}
