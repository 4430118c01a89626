import { avatarInitialsOf } from '@airdeck/domain/initials';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconContrastFilled, IconMenu2, IconSearch } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { OnDemand } from '../ui/on-demand.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { NotificationsBell } from './notifications-bell.tsx';
import classes from './top-bar.module.css';

const loadAppearance = () => import('./appearance-menu.tsx').then((module) => module.AppearanceMenu);
const loadUser = () => import('./user-menu.tsx').then((module) => module.UserMenu);
const nothing = {};

type Props = { onOpenNavigation: () => void; onJump: () => void };

/** Where one is, the way to everywhere, how fresh the screen is, appearance, and who is signed in. */
export function TopBar({ onOpenNavigation, onJump }: Props) {
  const { user } = useCurrentUser();
  return (
    <header className={classes.root}>
      <ActionIcon className={classes.burger} aria-label={t('Open navigation')} onClick={onOpenNavigation}>
        <IconMenu2 size={20} />
      </ActionIcon>
      <Breadcrumbs />
      <div className={classes.tools}>
        <UnstyledButton
          className={classes.jump}
          aria-label={t('Jump to…')}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={onJump}
        >
          <IconSearch size={18} aria-hidden />
          <span>{t('Jump to…')}</span>
          <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘K' : t('Ctrl K')}</kbd>
        </UnstyledButton>
        <LiveIndicator />
        <NotificationsBell />
        <OnDemand
          load={loadAppearance}
          extra={nothing}
          button={
            <ActionIcon aria-label={t('Appearance')} aria-haspopup="menu">
              <IconContrastFilled size={18} />
            </ActionIcon>
          }
        />
        <OnDemand
          load={loadUser}
          extra={nothing}
          button={
            <UnstyledButton
              className={classes.avatar}
              aria-label={t('Account of {fullname}', { fullname: user.fullname })}
              aria-haspopup="menu"
            >
              {avatarInitialsOf(user.uname)}
            </UnstyledButton>
          }
        />
      </div>
    </header>
  );
}
