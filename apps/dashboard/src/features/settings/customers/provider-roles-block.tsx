import { type Role, roleLabels, roles } from '@airdeck/contracts/access/roles';
import type { ProviderRole } from '@airdeck/contracts/customers/schema';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { PersonSelect } from '../../../components/person-select.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { known, t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { customerQueries, customersChanged } from '../../../queries/customers.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import settingsClasses from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import classes from './customers.module.css';

type Change = { username: string; role: Role | null };

const roleData = roles.map((role) => ({ value: role, label: known(roleLabels[role]) }));

/** People of the provider with a role in every customer, present and future. */
export function ProviderRolesBlock() {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { api, tenantId } = tenantApi;
  const given = useQuery(customerQueries.roles(tenantApi));
  const set = useConfirmedMutation({
    mutationFn: (body: Change, controls) =>
      api.call('customers.set-role', { params: { tenant: tenantId }, body, ...controls }),
    onSuccess: (_, { role }) => {
      showDone(role === null ? t('Role taken away') : t('Role {role} given', { role: known(roleLabels[role]) }));
      return customersChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  const busyWith = set.isPending ? set.variables?.username : undefined;
  return (
    <div className={classes.roles}>
      <SettingsBlock title={t('Roles in all customers')} query={given}>
        {(list) => (
          <>
            {set.error === null ? null : (
              <div className={settingsClasses.none}>
                <ProblemNote error={set.error} />
              </div>
            )}
            {list.length === 0 ? (
              <div className={settingsClasses.none}>
                {t('Nobody yet. A role given here counts in every customer, also in those created later.')}
              </div>
            ) : (
              list.map((each) => (
                <RoleRow
                  key={`${each.username} ${each.role}`}
                  of={each}
                  busy={busyWith === each.username}
                  onChange={(role) => set.mutate({ username: each.username, role })}
                />
              ))
            )}
            <GiveRow given={list} busy={set.isPending} onGive={(change) => set.mutate(change)} />
          </>
        )}
      </SettingsBlock>
    </div>
  );
}

/** Active members of the provider who have no role in its customers yet. */
function isCandidate({ uname, status, from_provider }: TenantUser, given: readonly ProviderRole[]): boolean {
  return status === 'active' && !from_provider && !given.some(({ username }) => username === uname);
}

type RowProps = { of: ProviderRole; busy: boolean; onChange: (role: Role | null) => void };

function RoleRow({ of: { username, fullname, role }, busy, onChange }: RowProps) {
  const [wanted, setWanted] = useState<Role>(role);
  return (
    <SettingRow
      title={fullname}
      text={username}
      actions={
        <>
          <NativeSelect
            aria-label={t('Role of {fullname} in all customers', { fullname })}
            value={wanted}
            data={roleData}
            disabled={busy}
            onChange={(event) => setWanted(roles.find((each) => each === event.currentTarget.value) ?? wanted)}
          />
          <GuardedButton
            variant="default"
            reason={wanted === role ? t('Choose another role first.') : undefined}
            loading={busy && wanted !== role}
            aria-label={t('Change role of {fullname}', { fullname })}
            onClick={() => onChange(wanted)}
          >
            {t('Change…')}
          </GuardedButton>
          <GuardedButton
            variant="default"
            reason={undefined}
            loading={busy && wanted === role}
            className={settingsClasses.danger ?? ''}
            aria-label={t('Take the role from {fullname}', { fullname })}
            onClick={() => onChange(null)}
          >
            {t('Take away…')}
          </GuardedButton>
        </>
      }
    />
  );
}

type GiveProps = { given: readonly ProviderRole[]; busy: boolean; onGive: (change: Change) => void };

function GiveRow({ given, busy, onGive }: GiveProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const [role, setRole] = useState<Role>('Analyst');
  // Whoever has been given a role is no longer somebody to choose.
  const username = given.some((each) => each.username === wanted) ? null : wanted;
  return (
    <SettingRow
      title={t('Give somebody a role')}
      text={t('They must be a member of this tenant.')}
      actions={
        <>
          <PersonSelect
            aria-label={t('Person')}
            placeholder={t('Choose a person')}
            nobodyFits={t('Nobody of this tenant without a role already.')}
            fits={(person) => isCandidate(person, given)}
            value={username}
            onChange={setWanted}
            w={260}
          />
          <NativeSelect
            aria-label={t('Role in all customers')}
            value={role}
            data={roleData}
            onChange={(event) => setRole(roles.find((each) => each === event.currentTarget.value) ?? role)}
          />
          <GuardedButton
            variant="default"
            reason={username === null ? t('Choose a person first.') : undefined}
            loading={busy && username !== null}
            onClick={() => {
              if (username !== null) onGive({ username, role });
            }}
          >
            {t('Give role…')}
          </GuardedButton>
        </>
      }
    />
  );
}
