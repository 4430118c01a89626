import type { Connector } from '@airdeck/contracts/connectors/schema';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { LoadAgain } from '../../components/load-again.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { overwritten } from '../../lib/rebased-fields.ts';
import { showDone } from '../../lib/toasts.ts';
import { connectorMutations, connectorQueries, reloadConnectors } from '../../queries/connectors.ts';
import { integrationQueries } from '../../queries/integrations.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { type ConnectorDraft, changeOf, draftOf, draftWords, rebased } from './connector-draft.ts';
import { ConnectorFields } from './connector-fields.tsx';
import classes from './integrations.module.css';
import { useConnectorForm } from './use-connector-form.ts';

/** Name, connection, secrets and options of a connector. */
export function SettingsPanel({ id }: { id: string }) {
  const tenantApi = useTenantApi();
  const { data: connector } = useSuspenseQuery(connectorQueries.detail(tenantApi, id));
  const integration = useQuery(integrationQueries.detail(tenantApi, connector.definition_id));
  if (integration.data !== undefined) return <SettingsForm connector={connector} integration={integration.data} />;
  return (
    <Panel>
      {integration.isError ? (
        <ErrorState
          error={integration.error}
          onRetry={() => void integration.refetch()}
          retrying={integration.isFetching}
        />
      ) : (
        <Loading label={t('Loading settings')}>
          <TextSkeleton lines={6} />
        </Loading>
      )}
    </Panel>
  );
}

type Props = { connector: Connector; integration: Integration };

/** From the first change on the connector is kept as it was then, so that the server sees whether somebody was faster. */
type Editing = {
  base: Connector;
  draft: ConnectorDraft;
  /** What the draft was made from before it was loaded again. */
  before?: ConnectorDraft;
};

function SettingsForm({ connector, integration }: Props) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const reader = useReader();
  const save = useMutation(connectorMutations.update(tenantApi, queryClient));
  const idPrefix = useId();
  const formId = `${idPrefix}-form`;
  const [editing, setEditing] = useState<Editing>();
  const { base, draft } = editing ?? { base: connector, draft: draftOf(connector) };
  const change = changeOf(draftOf(base), draft);
  const dirty = Object.keys(change).length > 0;
  const form = useConnectorForm({ integration, connectorId: connector.id, idPrefix });

  const edit = (next: ConnectorDraft) => {
    setEditing({ ...editing, base, draft: next });
    form.clearProblems();
    if (save.isError) save.reset();
  };
  const discard = () => {
    setEditing(undefined);
    form.clearProblems();
    save.reset();
  };
  const reload = useMutation({
    mutationFn: async () => {
      await reloadConnectors(tenantApi, queryClient);
      return queryClient.getQueryData(connectorQueries.detail(tenantApi, connector.id).queryKey);
    },
    onSuccess: (now) => {
      if (now === undefined) return;
      // What was typed while it was read counts too.
      setEditing((typed) =>
        typed === undefined
          ? undefined
          : {
              base: now,
              draft: rebased(draftOf(typed.base), typed.draft, draftOf(now)),
              before: draftOf(typed.base),
            },
      );
      save.reset();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending || !form.isReady(draft)) return;
    save.mutate(
      { id: connector.id, body: { ...change, last_updated: base.last_updated } },
      {
        onSuccess: (saved) => {
          // What was typed meanwhile is the next change.
          setEditing((now) =>
            now === undefined || now === editing
              ? undefined
              : { base: saved, draft: rebased(draft, now.draft, draftOf(saved)) },
          );
          showDone(t('Changes saved'));
        },
        onError: form.refuse,
      },
    );
  };
  const words = (of: ConnectorDraft) => draftWords(of, integration, reader);
  const atFields = form.isShownAtFields(save.error);
  return (
    <form id={formId} onSubmit={submit} noValidate className={classes.narrow}>
      {atFields ? null : <ProblemNote error={save.error} />}
      <LoadAgain
        error={save.error}
        reload={reload}
        theirs={
          editing?.before === undefined
            ? undefined
            : overwritten(words(editing.before), words(draft), words(draftOf(base)))
        }
      />
      <ConnectorFields
        integration={integration}
        draft={draft}
        problems={form.problems}
        idPrefix={idPrefix}
        onChange={edit}
        test={
          integration.can_test_connection ? (
            <ConnectionTest integration={integration} draft={draft} form={form} />
          ) : undefined
        }
      />
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}
