import { isRefusedWith } from '@airdeck/api-client/api-error';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { Contract } from '@airdeck/contracts/contract/schema';
import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { contractQueries } from '../../../queries/contract.ts';
import { useSession, useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';
import { useNow } from '../../../ui/use-now.ts';
import settings from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { BillingForm } from './billing-form.tsx';
import { ContractFiles } from './contract-files.tsx';
import classes from './term-dates.module.css';
import { calendarDay, termState } from './term-state.ts';
import { TermTimeline } from './term-timeline.tsx';
import { TermsDialog } from './terms-dialog.tsx';

/** What was agreed: from when to when, for how many, on which papers, and who pays. */
export function TermDatesPage() {
  const tenantApi = useTenantApi();
  const terms = useQuery(contractQueries.terms(tenantApi));
  const billing = useQuery(contractQueries.billing(tenantApi));
  const [editing, setEditing] = useState(false);
  const contract = terms.data;
  return (
    <>
      <PageHeader
        title={t('Term dates')}
        purpose={t('The contract of this tenant: its dates, seats, papers and billing.')}
      />
      <div className={settings.stack}>
        {isNone(terms) ? <NoContract onEnter={() => setEditing(true)} /> : null}
        {isNone(terms) ? null : (
          <SettingsBlock
            title={t('Term')}
            query={terms}
            lines={5}
            aside={
              contract?.editable === true ? (
                <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
                  {t('Edit')}
                </Button>
              ) : undefined
            }
          >
            {(loaded) => <Term contract={loaded} />}
          </SettingsBlock>
        )}
        {contract === undefined ? null : <ContractFiles contract={contract} />}
        <SettingsBlock title={t('Billing information')} query={billing} lines={6}>
          {(loaded) => <BillingForm billing={loaded} />}
        </SettingsBlock>
      </div>
      {editing ? <TermsDialog contract={contract} onClose={() => setEditing(false)} /> : null}
    </>
  );
}

function Term({ contract }: { contract: Contract }) {
  const { timeZone } = useReader();
  const today = calendarDay(useNow(), timeZone);
  const { seats, seats_used: used } = contract;
  const over = seats !== null && used > seats;
  return (
    <>
      <TermTimeline contract={contract} state={termState(contract, today)} today={today} />
      <div className={classes.facts}>
        <KeyFacts
          facts={[
            { label: t('Plan'), value: contract.sku_name },
            {
              label: t('Seats'),
              value: (
                <span className="air-figures">
                  {seats === null ? t('{used} used, no limit', { used }) : t('{used} of {seats} used', { used, seats })}
                  {over ? (
                    <span
                      className={classes.over}
                    >{` ${t('· {value} more than agreed', { value: used - seats })}`}</span>
                  ) : null}
                </span>
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

function NoContract({ onEnter }: { onEnter: () => void }) {
  const { managedBy, mayEnter } = useContractEditor();
  return (
    <Panel>
      <EmptyState
        title={t('No contract yet')}
        {...(mayEnter ? { action: <Button onClick={onEnter}>{t('Enter term dates')}</Button> } : {})}
      >
        {mayEnter
          ? t('Enter start and end; then its files can be added.')
          : t('{managedBy} manages this tenant and enters the dates of its contract.', {
              managedBy: managedBy ?? t('The provider'),
            })}
      </EmptyState>
    </Panel>
  );
}

/** Who enters a contract where there is none to ask: Admins of the provider, or of a tenant nobody manages. */
function useContractEditor(): { managedBy: string | undefined; mayEnter: boolean } {
  const { currentTenant } = useSession();
  const { tenants, tenant_roles, allowed_tenants } = useCurrentUser();
  const manager = tenants[currentTenant]?.managed_by ?? null;
  if (manager === null) return { managedBy: undefined, mayEnter: true };
  return {
    managedBy: allowed_tenants.find(({ id }) => id === manager)?.fullname,
    mayEnter: hasRole(tenant_roles[manager] ?? 'ReadOnly', 'Admin'),
  };
}

function isNone({ error, data }: UseQueryResult<Contract>): boolean {
  return data === undefined && isRefusedWith(error, 'NOT_FOUND');
}
