import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { playbookQueries } from '../../queries/playbooks.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BackToRules } from './back-to-rules.tsx';
import { givenResponses } from './given-responses.ts';
import classes from './graylog.module.css';
import type { NewRuleSearch } from './graylog-search.ts';
import { newResponse, type RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleSkeleton } from './rule-skeleton.tsx';
import { useRuleForm } from './use-rule-form.ts';
import { WithGraylog } from './with-graylog.tsx';

const route = getRouteApi('/_dashboard/graylog/automation-settings/new');

/** Lets alerts of an event definition start something; the address can say which and what. */
export function NewRulePage() {
  const search = route.useSearch();
  const playbooks = useQuery({ ...playbookQueries.list(useTenantApi()), enabled: search.playbook_title !== undefined });
  return (
    <>
      <PageHeader
        eyebrow={<BackToRules />}
        title={t('New automation')}
        purpose={t('Choose an event definition, and the playbooks and actions that answer each of its alerts.')}
      />
      <WithGraylog>
        {() =>
          // The draft begins with the playbook of the title.
          search.playbook_title !== undefined && playbooks.isPending ? (
            <RuleSkeleton waited={false} />
          ) : (
            <NewRule search={search} given={givenResponses(search, playbooks.data)} />
          )
        }
      </WithGraylog>
    </>
  );
}

type NewRuleProps = { search: NewRuleSearch; given: ReturnType<typeof givenResponses> };

function NewRule({ search, given }: NewRuleProps) {
  const navigate = useNavigate();
  const [initial] = useState<RuleDraft>(() => ({
    name: '',
    definitionId: search.event_id ?? '',
    responses: given.length === 0 ? [newResponse()] : given.map(newResponse),
    enabled: true,
  }));
  const form = useRuleForm({
    initial,
    stored: undefined,
    onSaved: ({ id, name, notification }) => {
      if (notification.state === 'attached') showDone(t('{name} waits for its first alert', { name }));
      void navigate({ to: '/graylog/automation-settings/edit/$id', params: { id }, ignoreBlocker: true });
    },
  });
  return (
    <div className={classes.columns}>
      <RuleForm
        form={form}
        definitionTitle={undefined}
        onTakeOver={() => undefined}
        buttons={
          <div className={classes.formButtons}>
            <Button component={Link} to="/graylog/automation-settings" variant="default">
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={form.creating}>
              {t('Save')}
            </Button>
          </div>
        }
      />
      <Panel title={t('What saving does in Graylog')}>
        <ol className={classes.steps}>
          <li>{t('Makes an HTTP notification that sends alerts here, with a secret of its own.')}</li>
          <li>{t('Attaches it to the event definition, and reads the definition again to be sure.')}</li>
          <li>{t('Whatever fails half-way is taken back, or shown with a button to repair it.')}</li>
        </ol>
        <p className={classes.words}>
          {t(
            'The address of this product has to be on the URL allow list of Graylog: otherwise a notification fails when it fires, not when it is made.',
          )}
        </p>
      </Panel>
    </div>
  );
}
