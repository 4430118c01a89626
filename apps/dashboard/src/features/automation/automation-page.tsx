import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { Person } from '../../components/person.tsx';
import { tx } from '../../language/rich-text.ts';
import { t, told } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { forgetRuleResponse, ruleResponseQueries } from '../../queries/rule-responses.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from './automation.module.css';
import { draftOf } from './automation-draft.ts';
import { AUTOMATION_FORM, AutomationForm, BackToList } from './automation-form.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { useAutomationForm } from './use-automation-form.ts';

const route = getRouteApi('/_dashboard/air/automation-settings/$ruleId/$responseName');

/** One automation: what it does, whether it would work, how it went. */
export function AutomationPage() {
  const { ruleId, responseName } = route.useParams();
  const key = { rule_id: ruleId.toLowerCase(), response_name: responseName };
  const found = useSuspenseQuery({ ...ruleResponseQueries.detail(useTenantApi(), key), refetchOnMount: 'always' });
  if (found.data === null) {
    return (
      <>
        <PageHeader eyebrow={<BackToList />} title={responseName} section={t('Automation')} />
        <Panel>
          <EmptyState
            title={t('This automation does not exist')}
            action={
              <Button component={Link} to="/air/automation-settings" variant="default">
                {t('All automations')}
              </Button>
            }
          >
            {t('It may have been deleted since.##automation')}
          </EmptyState>
        </Panel>
      </>
    );
  }
  // Another revision is another form: what is shown is what was saved.
  return <Automation key={`${ruleId} ${responseName}`} stored={found.data} onReload={() => void found.refetch()} />;
}

function Automation({ stored, onReload }: { stored: RuleResponse; onReload: () => void }) {
  const [base, setBase] = useState(stored);
  const [caseId, setCaseId] = useState<string>();
  const form = useAutomationForm({
    initial: draftOf(base),
    stored: base,
    onSaved: (saved, isAll) => {
      setBase(saved);
      if (isAll) form.reset(draftOf(saved));
      showDone(t('Automation saved'));
    },
  });
  // Somebody else saved it while nothing was changed here: show that.
  if (stored.revision > base.revision && !form.dirty && !form.saving) {
    setBase(stored);
    form.reset(draftOf(stored));
  }
  return (
    <>
      <PageHeader
        eyebrow={<BackToList />}
        title={stored.response_name}
        purpose={tx('saved {time} by {person}, with whose rights it acts', {
          time: <RelativeTime time={base.updated_at} />,
          person: <Person username={base.updated_by} />,
        })}
        actions={<Actions of={base} />}
      />
      <Problems of={stored} />
      <div className={classes.columns}>
        <AutomationForm
          form={form}
          policyName={stored.rule_name}
          sampleId={caseId}
          onTakeOver={() => {
            onReload();
            setBase(stored);
            form.reset(draftOf(stored));
          }}
        />
        <div className={classes.side}>
          <TrialPanel draft={form.draft} caseId={caseId} onCase={setCaseId} />
          <HistoryPanel of={stored} />
        </div>
      </div>
      <SaveBar
        dirty={form.dirty}
        saving={form.saving}
        form={AUTOMATION_FORM}
        onDiscard={() => form.reset(draftOf(base))}
      />
    </>
  );
}

function Problems({ of: { problems } }: { of: RuleResponse }) {
  if (problems.length === 0) return null;
  return (
    <div className={classes.warning} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <ul>
        {problems.map(({ code, ...problem }) => (
          <li key={code}>{told(problem)}</li>
        ))}
      </ul>
    </div>
  );
}

function Actions({ of }: { of: RuleResponse }) {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    meta: { failure: 'inline' },
    mutationFn: () =>
      api.call('rule-responses.delete', {
        params: { tenant: tenantId, id: of.rule_id },
        query: { response_name: of.response_name },
      }),
    onSuccess: async () => {
      showDone(t('{name} was deleted##automation', { name: of.response_name }));
      await navigate({ to: '/air/automation-settings', ignoreBlocker: true });
      forgetRuleResponse(queryClient, tenantId, of);
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() =>
          void navigate({
            to: '/air/automation-settings/new',
            search: { automation_id: of.definition_id, automation_type: of.response_type },
          })
        }
      >
        {t('Use for another policy')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('Delete')}
      </Button>
      {asking ? (
        <AskDialog
          title={t('Delete {name}?', { name: of.response_name })}
          text={t('{policy} will no longer start it, and its history goes with it. What it has started goes on.', {
            policy: of.rule_name,
          })}
          actionLabel={t('Delete')}
          busy={remove.isPending}
          problem={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
