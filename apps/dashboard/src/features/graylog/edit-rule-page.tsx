import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Person } from '../../components/person.tsx';
import { tx } from '../../language/rich-text.ts';
import { t, told } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { BackToRule, BackToRules } from './back-to-rules.tsx';
import { DeleteRuleDialog } from './delete-rule-dialog.tsx';
import classes from './graylog.module.css';
import { NotificationPanel } from './notification-panel.tsx';
import { draftOf } from './rule-draft.ts';
import { RULE_FORM, RuleForm } from './rule-form.tsx';
import { RuleHistory } from './rule-history.tsx';
import { useRuleForm } from './use-rule-form.ts';

const ruleRoute = getRouteApi('/_dashboard/graylog/automation-settings/edit/$id/');
const responseRoute = getRouteApi('/_dashboard/graylog/automation-settings/edit/$id/$responseName');

/** One automation: what it does, how it stands in Graylog, what it has started. */
export function EditRulePage() {
  const rule = ruleRoute.useLoaderData();
  // Another one is another form.
  return <EditRule key={rule.id} loaded={rule} only={undefined} />;
}

/** One of the responses of an automation. */
export function EditResponsePage() {
  const rule = responseRoute.useLoaderData();
  const { responseName } = responseRoute.useParams();
  return <EditRule key={`${rule.id} ${responseName}`} loaded={rule} only={responseName} />;
}

type Props = {
  /** As the loader found it. */
  loaded: AutomationRule;
  /** Only this response of it, by its name. */
  only: string | undefined;
};

function EditRule({ loaded, only }: Props) {
  const navigate = useNavigate();
  const found = useQuery({ ...automationRuleQueries.detail(useTenantApi(), loaded.id), refetchOnMount: 'always' });
  const stored = found.data ?? loaded;
  const [base, setBase] = useState(stored);
  const form = useRuleForm({
    initial: draftOf(base),
    stored: base,
    onSaved: (saved, isAll) => {
      setBase(saved);
      if (isAll) form.reset(draftOf(saved));
      showDone(t('Automation saved'));
      const place = base.actions.responses.findIndex(({ name }) => name === only);
      const name = saved.actions.responses[place]?.name;
      if (only === undefined || name === undefined || name === only) return;
      // It is called something else now, and so is its address.
      void navigate({
        to: '/graylog/automation-settings/edit/$id/$responseName',
        params: { id: saved.id, responseName: name },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  const adopt = (rule: AutomationRule) => {
    setBase(rule);
    form.reset(draftOf(rule));
  };
  // Somebody else saved it while nothing was changed here: show that.
  if (stored.revision > base.revision && !form.dirty && !form.saving) adopt(stored);
  return (
    <>
      <PageHeader
        eyebrow={only === undefined ? <BackToRules /> : <BackToRule rule={stored} />}
        title={only ?? stored.name}
        section={t('Automation')}
        purpose={tx('saved {time} by {person}, with whose rights it acts', {
          time: <RelativeTime time={base.updated_at} />,
          person: <Person username={base.updated_by} />,
        })}
        actions={only === undefined ? <DeleteButton rule={stored} /> : undefined}
      />
      <Problems of={stored} only={only} />
      <div className={classes.columns}>
        <RuleForm
          form={form}
          definitionTitle={stored.event_definition.title}
          only={only}
          onTakeOver={() => void found.refetch().then(({ data }) => data && adopt(data))}
        />
        <div className={classes.side}>
          <NotificationPanel rule={stored} />
          <RuleHistory rule={stored} only={only} />
        </div>
      </div>
      <SaveBar dirty={form.dirty} saving={form.saving} form={RULE_FORM} onDiscard={() => form.reset(draftOf(base))} />
    </>
  );
}

function Problems({ of: { problems }, only }: { of: AutomationRule; only: string | undefined }) {
  const shown = problems.filter(({ response_name }) => only === undefined || response_name === only);
  if (shown.length === 0) return null;
  return (
    <div className={classes.note} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <ul>
        {shown.map((problem) => (
          <li key={`${problem.response_name} ${problem.code}`}>
            {problem.response_name}: {told(problem)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function DeleteButton({ rule }: { rule: AutomationRule }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('Delete')}
      </Button>
      {asking ? (
        <DeleteRuleDialog
          rule={rule}
          onGone={() => navigate({ to: '/graylog/automation-settings', ignoreBlocker: true })}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
