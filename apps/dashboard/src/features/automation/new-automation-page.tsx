import { Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from './automation.module.css';
import { newDraft } from './automation-draft.ts';
import { AutomationForm, BackToList } from './automation-form.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { useAutomationForm } from './use-automation-form.ts';

const route = getRouteApi('/_dashboard/air/automation-settings/new');

/** Lets a policy start something; the address can say which and what. */
export function NewAutomationPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [initial] = useState(() => newDraft(search));
  const [caseId, setCaseId] = useState<string>();
  const form = useAutomationForm({
    initial,
    stored: undefined,
    onSaved: ({ rule_id: ruleId, response_name: responseName }) => {
      showDone(t('Automation saved'));
      void navigate({
        to: '/air/automation-settings/$ruleId/$responseName',
        params: { ruleId, responseName },
        ignoreBlocker: true,
      });
    },
  });
  return (
    <>
      <PageHeader
        eyebrow={<BackToList />}
        title={t('New automation')}
        purpose={t('Choose a policy, and the playbook or action that answers each case it opens.')}
      />
      <div className={classes.columns}>
        <AutomationForm
          form={form}
          policyName={undefined}
          sampleId={caseId}
          onTakeOver={() => undefined}
          buttons={
            <div className={classes.buttons}>
              <Button component={Link} to="/air/automation-settings" variant="default">
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={form.creating}>
                {t('Save')}
              </Button>
            </div>
          }
        />
        <div className={classes.side}>
          <TrialPanel draft={form.draft} caseId={caseId} onCase={setCaseId} />
        </div>
      </div>
    </>
  );
}
