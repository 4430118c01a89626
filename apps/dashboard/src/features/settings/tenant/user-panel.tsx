import { type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { Button, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { known, t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { areOnlyTheFirst, userMutations, userQueries, usersChanged } from '../../../queries/users.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { SettingRow } from '../setting-row.tsx';
import settings from '../settings.module.css';
import { roleOf, roleOptions, roleTexts } from './role-options.ts';
import classes from './tenant.module.css';
import { UserAccess } from './user-access.tsx';
import { Authenticator } from './user-columns.tsx';
import { userStatusLooks } from './user-looks.ts';
import { userReasons } from './user-reasons.ts';

type Props = { id: string | undefined; q: string | undefined; onClose: () => void };

/** One user beside the list: who it is, and what can be done. */
export function UserPanel({ id, q, onClose }: Props) {
  // Stays while the panel slides out.
  const [shownId, setShownId] = useState(id);
  if (id !== undefined && id !== shownId) setShownId(id);
  const tenantApi = useTenantApi();
  const enabled = shownId !== undefined;
  // Without the search, which may not have found this user, and with it, which may have found somebody beyond the first.
  const everybody = useQuery({ ...userQueries.list(tenantApi, { withDisabled: true }), enabled });
  const found = useQuery({ ...userQueries.list(tenantApi, { q, withDisabled: true }), enabled });
  const user = [...(everybody.data ?? []), ...(found.data ?? [])].find((each) => each.id === shownId);
  const failed = everybody.isError ? everybody : found.isError ? found : undefined;
  if (shownId === undefined) return null;
  return (
    <SidePanel title={user?.fullname ?? t('User')} opened={id !== undefined} onClose={onClose}>
      {user !== undefined ? (
        <UserDetails key={user.id} user={user} everybody={everybody.data ?? []} onGone={onClose} />
      ) : failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      ) : everybody.isPending || found.isPending ? (
        <Loading label={t('Loading user')}>
          <TextSkeleton lines={5} />
        </Loading>
      ) : (
        <p className={classes.faint}>
          {areOnlyTheFirst(everybody.data ?? [])
            ? t('Not among the users found. Search for the name, and open the user from there.')
            : t('This user is no longer here.')}
        </p>
      )}
    </SidePanel>
  );
}

type DetailsProps = { user: TenantUser; everybody: readonly TenantUser[]; onGone: () => void };

function UserDetails({ user, everybody, onGone }: DetailsProps) {
  const me = useCurrentUser().user.uname;
  const reasons = userReasons(user, { me, everybody });
  return (
    <Stack gap="md">
      <KeyFacts
        facts={[
          { label: t('Username'), value: user.uname },
          { label: t('Status'), value: <StatusBadge look={userStatusLooks[user.status]} variant="plain" /> },
          {
            label: t('Role'),
            value: user.from_provider
              ? t('{role}, from the provider', { role: known(roleLabels[user.role]) })
              : known(roleLabels[user.role]),
          },
          { label: t('Authenticator'), value: <Authenticator of={user} /> },
          {
            label: t('Last sign-in'),
            value: user.last_sign_in_at === null ? t('Never') : <RelativeTime time={user.last_sign_in_at} />,
          },
        ]}
      />
      <div className={classes.actions}>
        {/* What was chosen beside a role that somebody else has changed since would be given unseen. */}
        <RoleRow key={`${user.uname} ${user.role}`} user={user} reason={reasons.role} />
        {user.status === 'invited' ? <InviteAgainRow user={user} /> : <UserAccess user={user} reasons={reasons} />}
        <RemoveRow user={user} reason={reasons.remove} onGone={onGone} />
      </div>
    </Stack>
  );
}

function RoleRow({ user, reason }: { user: TenantUser; reason: string | undefined }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { api, tenantId } = tenantApi;
  const [role, setRole] = useState<Role>(user.role);
  const set = useConfirmedMutation({
    mutationFn: (wanted: Role, controls) =>
      api.call('users.set-role', {
        params: { tenant: tenantId },
        body: { username: user.uname, role: wanted },
        ...controls,
      }),
    onSuccess: (after) => {
      showDone(t('{fullname} is now {role}', { fullname: after.fullname, role: known(roleLabels[after.role]) }));
      return usersChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  return (
    <SettingRow
      title={t('Role')}
      text={
        <>
          {reason ?? roleTexts[role]}
          <ProblemNote error={set.error} />
        </>
      }
      actions={
        <>
          <NativeSelect
            aria-label={t('New role')}
            value={role}
            data={[...roleOptions]}
            disabled={reason !== undefined || set.isPending}
            onChange={(event) => setRole(roleOf(event.currentTarget.value) ?? role)}
          />
          <GuardedButton
            variant="default"
            reason={reason ?? (role === user.role ? t('Choose another role first.') : undefined)}
            loading={set.isPending}
            onClick={() => set.mutate(role)}
          >
            {t('Change role…')}
          </GuardedButton>
        </>
      }
    />
  );
}

function InviteAgainRow({ user }: { user: TenantUser }) {
  const { queryClient } = useApp();
  const invite = useMutation(userMutations.invite(useTenantApi(), queryClient, useCallIntent()));
  return (
    <SettingRow
      title={t('Invitation')}
      text={
        <>
          {user.invitation_expired === true
            ? t('The link has expired. A new mail brings a new one.')
            : t('A new mail with a new link; the one sent before stops working.')}
          <ProblemNote error={invite.error} />
        </>
      }
      actions={
        <Button
          variant="default"
          loading={invite.isPending}
          onClick={() =>
            invite.mutate(
              { email: user.uname, fullname: user.fullname, role: user.role },
              { onSuccess: () => showDone(t('Invitation sent to {uname}', { uname: user.uname })) },
            )
          }
        >
          {t('Invite again')}
        </Button>
      }
    />
  );
}

type RemoveProps = { user: TenantUser; reason: string | undefined; onGone: () => void };

function RemoveRow({ user, reason, onGone }: RemoveProps) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { api, tenantId } = tenantApi;
  const invited = user.status === 'invited';
  const remove = useConfirmedMutation({
    mutationFn: (_: undefined, controls) =>
      api.call('users.remove', { params: { tenant: tenantId }, query: { username: user.uname }, ...controls }),
    onSuccess: () => {
      showDone(invited ? t('Invitation withdrawn') : t('{fullname} removed', { fullname: user.fullname }));
      onGone();
      return usersChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  return (
    <SettingRow
      title={invited ? t('Withdraw') : t('Remove from this tenant')}
      text={
        <>
          {reason ??
            (invited
              ? t('The link that was sent opens nothing any more.')
              : t('Sessions and API keys for this tenant end. Cases and the audit log keep the name.'))}
          <ProblemNote error={remove.error} />
        </>
      }
      actions={
        <GuardedButton
          variant="default"
          reason={reason}
          loading={remove.isPending}
          {...(reason === undefined ? { className: settings.danger ?? '' } : {})}
          onClick={() => remove.mutate(undefined)}
        >
          {invited ? t('Withdraw…') : t('Remove…')}
        </GuardedButton>
      }
    />
  );
}
