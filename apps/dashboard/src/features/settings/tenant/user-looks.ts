import type { TenantUser, UserStatus } from '@airdeck/contracts/users/schema';
import { IconBan, IconCircleCheck, IconMailForward } from '@tabler/icons-react';
import type { StatusLook } from '../../../components/status-table.ts';

export const userStatusLooks: Readonly<Record<UserStatus, StatusLook>> = {
  active: { word: 'Active', color: 'var(--air-success)', icon: IconCircleCheck },
  invited: { word: 'Invited', color: 'var(--air-attention)', icon: IconMailForward },
  disabled: { word: 'Disabled', color: 'var(--air-idle)', icon: IconBan },
};

/** Where another identity provider knows, we do not. */
export function authenticatorWord({ mfa_enabled, status }: Pick<TenantUser, 'mfa_enabled' | 'status'>): string {
  if (status === 'invited') return 'Not yet';
  return mfa_enabled === null ? 'Not known here' : mfa_enabled ? 'On' : 'Off';
}
