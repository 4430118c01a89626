import type { TenantUser, UserStatus } from '@airdeck/contracts/users/schema';
import { IconBan, IconCircleCheck, IconMailForward } from '@tabler/icons-react';
import type { StatusLook } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';

export const userStatusLooks: Readonly<Record<UserStatus, StatusLook>> = {
  active: { word: t('Active'), color: 'var(--air-success)', icon: IconCircleCheck },
  invited: { word: t('Invited'), color: 'var(--air-attention)', icon: IconMailForward },
  disabled: { word: t('Disabled'), color: 'var(--air-idle)', icon: IconBan },
};

/** Where another identity provider knows, we do not. */
export function authenticatorWord({ mfa_enabled, status }: Pick<TenantUser, 'mfa_enabled' | 'status'>): string {
  if (status === 'invited') return t('Not yet');
  return mfa_enabled === null ? t('Not known here') : mfa_enabled ? t('On') : t('Off');
}
