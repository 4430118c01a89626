import { type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { Button, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showDone } from '../../../lib/toasts.ts';
import { userMutations, userQueries, usersChanged } from '../../../queries/users.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { SettingRow } from '../setting-row.tsx';
import settings from '../settings.module.css';
import { roleOf, roleOptions, roleTexts } from './role-options.ts';
import classes from './tenant.module.css';
import { UserAccess } from './user-access.tsx';
import { Authenticator } from './user-columns.tsx';
import { userStatusLooks } from './user-looks.ts';
import { userReasons } from './user-reasons.ts';

type Props = { id: string | undefined; onClose: () => void };

/** One user beside the list: who it is, and what can be done. */
export function UserPanel({ id, onClose }: Props) {
  // Stays while the panel slides out.
  const [shownId, setShownId] = useState(id);
  if (id !== undefined && id !== shownId) setShownId(id);
  // Without the search, which may not have found this user.
  const everybody = useQuery({
    ...userQueries.list(useTenantApi(), { withDisabled: true }),
    enabled: shownId !== undefined,
  });
  const user = everybody.data?.find((each) => each.id === shownId);
  if (shownId === undefined) return null;
  return (
    <SidePanel title={user?.fullname ?? 'User'} opened={id !== undefined} onClose={onClose}>
      {user !== undefined ? (
        <UserDetails key={user.id} user={user} everybody={everybody.data ?? []} onGone={onClose} />
      ) : everybody.isError ? (
        <ErrorState error={everybody.error} onRetry={() => void everybody.refetch()} retrying={everybody.isFetching} />
      ) : everybody.isPending ? (
        <Loading label="Loading user">
          <TextSkeleton lines={5} />
        </Loading>
      ) : (
        <p className={classes.faint}>This user is no longer here.</p>
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
          { label: 'Username', value: user.uname },
          { label: 'Status', value: <StatusBadge look={userStatusLooks[user.status]} variant="plain" /> },
          {
            label: 'Role',
            value: user.from_provider ? `${roleLabels[user.role]}, from the provider` : roleLabels[user.role],
          },
          { label: 'Authenticator', value: <Authenticator of={user} /> },
          {
            label: 'Last sign-in',
            value: user.last_sign_in_at === null ? 'Never' : <RelativeTime time={user.last_sign_in_at} />,
          },
        ]}
      />
      <div className={classes.actions}>
        <RoleRow user={user} reason={reasons.role} />
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
      showDone(`${after.fullname} is now ${roleLabels[after.role]}`);
      return usersChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  return (
    <SettingRow
      title="Role"
      text={
        <>
          {reason ?? roleTexts[role]}
          <ProblemNote error={set.error} />
        </>
      }
      actions={
        <>
          <NativeSelect
            aria-label="New role"
            value={role}
            data={[...roleOptions]}
            disabled={reason !== undefined || set.isPending}
            onChange={(event) => setRole(roleOf(event.currentTarget.value) ?? role)}
          />
          <GuardedButton
            variant="default"
            reason={reason ?? (role === user.role ? 'Choose another role first.' : undefined)}
            loading={set.isPending}
            onClick={() => set.mutate(role)}
          >
            Change role…
          </GuardedButton>
        </>
      }
    />
  );
}

function InviteAgainRow({ user }: { user: TenantUser }) {
  const { queryClient } = useApp();
  const invite = useMutation(userMutations.invite(useTenantApi(), queryClient));
  return (
    <SettingRow
      title="Invitation"
      text={
        <>
          A new mail with a new link; the one sent before stops working.
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
              { onSuccess: () => showDone(`Invitation sent to ${user.uname}`) },
            )
          }
        >
          Invite again
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
      showDone(invited ? 'Invitation withdrawn' : `${user.fullname} removed`);
      onGone();
      return usersChanged(tenantApi, queryClient);
    },
    meta: { failure: 'inline' },
  });
  return (
    <SettingRow
      title={invited ? 'Withdraw' : 'Remove from this tenant'}
      text={
        <>
          {reason ??
            (invited
              ? 'The link that was sent opens nothing any more.'
              : 'Sessions and API keys for this tenant end. Cases and the audit log keep the name.')}
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
          {invited ? 'Withdraw…' : 'Remove…'}
        </GuardedButton>
      }
    />
  );
}
