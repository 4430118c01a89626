import type { SubscriptionState, Tenant } from '@airdeck/contracts/tenants/schema';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { tenantQueries } from '../../../queries/tenants.ts';
import { userQueries } from '../../../queries/users.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settingsClasses from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { membersText } from './members-text.ts';
import classes from './tenant.module.css';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

/** What the tenant is called, what its plan has, and who manages it. */
export function DetailsPanel() {
  const state = useQuery(tenantQueries.state(useTenantApi()));
  return (
    <div className={settingsClasses.stack}>
      <NameForm />
      <SettingsBlock title={t('Tenant')} query={state} lines={4}>
        {(tenant) => <TenantFacts of={tenant} />}
      </SettingsBlock>
      <SettingsBlock title={t('Plan')} query={state} lines={5}>
        {(tenant) => <PlanFacts of={tenant} />}
      </SettingsBlock>
    </div>
  );
}

function NameForm() {
  const settings = useTenantSettings();
  const save = useSettingsChange();
  const [draft, setDraft] = useState<string>();
  const [missing, setMissing] = useState(false);
  const { form, refuse } = useRefusal();
  const formId = useId();
  const name = draft ?? settings.name;
  const dirty = name.trim() !== settings.name;
  const discard = () => {
    setDraft(undefined);
    setMissing(false);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      return refuse();
    }
    if (!dirty || save.isPending) return;
    save.mutate(
      { name: name.trim() },
      {
        onSuccess: () => {
          // What was typed meanwhile is the next change.
          setDraft((now) => (now === draft ? undefined : now));
          showDone(t('Name saved'));
        },
      },
    );
  };
  return (
    <form ref={form} id={formId} onSubmit={submit} noValidate>
      <Panel title={t('Name')}>
        <ProblemNote error={save.error} />
        <TextInput
          label={t('Name of the tenant')}
          description={t(
            'In mails, invitations and the audit log. What the tenant picker shows can differ: see Brand.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={200}
          value={name}
          error={missing ? t('Enter a name.') : undefined}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            setMissing(false);
          }}
        />
      </Panel>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}

function TenantFacts({ of: tenant }: { of: Tenant }) {
  const users = useQuery(userQueries.list(useTenantApi(), { withDisabled: true }));
  const { allowed_tenants } = useCurrentUser();
  const manager = tenant.managed_by;
  const managerName = tenant.managed_by_name ?? allowed_tenants.find(({ id }) => id === manager)?.fullname;
  return (
    <div className={classes.padded}>
      <KeyFacts
        facts={[
          {
            label: t('Id'),
            value: (
              <span className={classes.copied}>
                <span className="air-mono">{tenant.id}</span>
                <CopyButton value={tenant.id} label={t('Copy tenant id')} />
              </span>
            ),
          },
          {
            label: t('Managed by'),
            value:
              manager === null
                ? t('Nobody: this tenant manages itself')
                : // Where neither the server nor the reader's own tenants tell a name.
                  (managerName ?? <span className="air-mono">{manager}</span>),
          },
          { label: t('Manages others'), value: tenant.is_provider ? t('Yes, see Customers') : t('No') },
          { label: t('Members'), value: users.data === undefined ? '…' : membersText(users.data) },
        ]}
      />
    </div>
  );
}

function PlanFacts({ of: tenant }: { of: Tenant }) {
  const { sku_info: plan, subscription } = tenant;
  return (
    <div className={classes.padded}>
      <KeyFacts
        facts={[
          { label: t('Plan'), value: plan.sku_name },
          ...(subscription == null ? [] : [{ label: t('Azure subscription'), value: subscriptionWords[subscription] }]),
          { label: t('Search'), value: plan.is_search_enabled ? t('Included') : t('Not included') },
          { label: t('Managed detection'), value: plan.is_mdr_enabled ? t('Included') : t('Not included') },
          {
            label: t('Events kept'),
            value: t('{retention_length_days} days at most', { retention_length_days: plan.retention_length_days }),
          },
          {
            label: t('Searchable'),
            value: t('{search_length_days} days', { search_length_days: plan.search_length_days }),
          },
          {
            label: t('Changed by'),
            value: changedBy(tenant),
          },
        ]}
      />
    </div>
  );
}

const subscriptionWords: Readonly<Record<SubscriptionState, string>> = {
  opened: t('Not active yet'),
  active: t('Active##subscription'),
  suspended: t('Suspended: search, managed detection and automation are off'),
  ended: t('Ended: search, managed detection and automation are off'),
};

function changedBy({ managed_by, subscription }: Tenant): string {
  if (subscription != null) return t('In the Azure portal');
  return managed_by === null ? t('The contract: see Term dates') : t('The provider that manages this tenant');
}
