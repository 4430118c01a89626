import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { IntegrationDetail } from '@airdeck/contracts/integrations/schema';
import { Button } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { connectorMutations, connectorQueries } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { categoryWords, offerText } from './catalogue.ts';
import { ConnectionTest } from './connection-test.tsx';
import { type ConnectorDraft, changeOf, newConnectorOf, newDraft } from './connector-draft.ts';
import { ConnectorFields } from './connector-fields.tsx';
import { ImportedPanel } from './imported-panel.tsx';
import classes from './integrations.module.css';
import { SandboxFill } from './sandbox-fill.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { useConnectorForm } from './use-connector-form.ts';

const route = getRouteApi('/_dashboard/integrations/new/$id');

/** Connects one system. */
export function NewIntegrationPage() {
  const tenantApi = useTenantApi();
  const { id } = route.useParams();
  const { data: integration } = useSuspenseQuery(integrationQueries.detail(tenantApi, id));
  const { data: connectors } = useSuspenseQuery(connectorQueries.list(tenantApi));
  return (
    <>
      <PageHeader title={t('Connect {name}', { name: integration.name })} purpose={integration.description} />
      {integration.visible ? (
        <NewConnectorForm key={integration.id} integration={integration} connectors={connectors} />
      ) : (
        <Panel>
          <EmptyState
            title={t('{name} is no longer offered', { name: integration.name })}
            action={
              <Button component={Link} to="/integrations/new">
                {t('Back to the catalog')}
              </Button>
            }
          >
            {t('What is connected already goes on working; a new one cannot be set up.')}
          </EmptyState>
        </Panel>
      )}
    </>
  );
}

type Props = { integration: IntegrationDetail; connectors: readonly ConnectorSummary[] };

function NewConnectorForm({ integration, connectors }: Props) {
  const navigate = route.useNavigate();
  const { queryClient } = useApp();
  const save = useMutation(connectorMutations.create(useTenantApi(), queryClient, useCallIntent()));
  const idPrefix = useId();
  // What the form began with: the list beneath may be read again meanwhile.
  const [first] = useState(() => newDraft(integration, connectors));
  const [draft, setDraft] = useState(first);
  const form = useConnectorForm({ integration, idPrefix });
  const tested = form.test.resultFor(draft.config);
  const failedTest = tested?.old === false && tested.answer.test.status === 'error';
  const dirty = Object.keys(changeOf(first, draft)).length > 0;

  const change = (next: ConnectorDraft) => {
    setDraft(next);
    form.clearProblems();
    // Only what is over: one that goes on would be forgotten, and could be sent again.
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || !form.isReady(draft)) return;
    save.mutate(newConnectorOf(draft, integration), {
      onSuccess: ({ id, name }) => {
        showDone(t('{name} connected', { name }));
        void navigate({ to: '/integrations/$id', params: { id }, ignoreBlocker: true });
      },
      onError: form.refuse,
    });
  };
  return (
    <form onSubmit={submit} noValidate className={classes.columns}>
      {/* Once it is made another page opens, which would not have what was typed meanwhile. */}
      <fieldset className={classes.stack} disabled={save.isPending || save.isSuccess}>
        {form.isShownAtFields(save.error) ? null : <ProblemNote error={save.error} />}
        <SandboxFill
          definitionId={integration.id}
          name={integration.name}
          onFill={(config) => change({ ...draft, config: { ...draft.config, ...config } })}
        />
        {comesBySource(integration) ? <SourcesFirst /> : null}
        <ConnectorFields
          integration={integration}
          draft={draft}
          problems={form.problems}
          idPrefix={idPrefix}
          onChange={change}
          test={
            integration.can_test_connection ? (
              <ConnectionTest integration={integration} draft={draft} form={form} />
            ) : undefined
          }
        />
        <div className={classes.foot}>
          <Button variant="default" component={Link} to="/integrations/new">
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {failedTest ? t('Save although the test failed') : t('Save')}
          </Button>
        </div>
      </fieldset>
      <div className={classes.stack}>
        <SetupPanel of={integration} />
        {integration.imported ? <ImportedPanel definitionId={integration.id} /> : <About integration={integration} />}
      </div>
      <LeaveGuard dirty={dirty && !save.isSuccess} />
    </form>
  );
}

/** Nothing of it is called from here: events come in by a door that is opened elsewhere. */
function comesBySource({ config_schema, capabilities }: IntegrationDetail): boolean {
  return capabilities.length === 0 && formFields(config_schema).length === 0;
}

function SourcesFirst() {
  return (
    <Panel>
      <div className={classes.sandbox}>
        <span>{t('Its events come in by an event source, which has the address and the token.')}</span>
        <Button variant="default" component={Link} to="/integrations/sources">
          {t('Open event sources')}
        </Button>
      </div>
    </Panel>
  );
}

function About({ integration }: { integration: IntegrationDetail }) {
  const { vendor, product, version, category } = integration;
  return (
    <Panel title={t('About {name}', { name: integration.name })}>
      <KeyFacts
        facts={[
          { label: t('Vendor'), value: vendor },
          { label: t('Product'), value: product },
          { label: t('Version'), value: version },
          { label: t('Category'), value: categoryWords(category) },
          { label: t('Offers'), value: offerText(integration) },
        ]}
      />
    </Panel>
  );
}
