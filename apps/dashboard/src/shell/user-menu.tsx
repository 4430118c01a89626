import { roleLabels } from '@airdeck/contracts/access/roles';
import { Menu } from '@mantine/core';
import { IconBell, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { known, t } from '../language/translate.ts';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { useOpenedAtOnce } from '../ui/use-opened-at-once.ts';
import classes from './top-bar.module.css';

/** Who is signed in, with which role here, what is theirs alone, and the way out. */
export function UserMenu({ target }: { target: ReactElement }) {
  const { user } = useCurrentUser();
  const { currentRole } = useSession();
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={264}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.name}>{user.fullname}</div>
          <div>{user.email}</div>
          <div>{known(roleLabels[currentRole])}</div>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} aria-hidden />}>
          {t('Profile')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/notifications" leftSection={<IconBell size={16} aria-hidden />}>
          {t('Notification settings')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item component={Link} to="/logout" preload={false} leftSection={<IconLogout size={16} aria-hidden />}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
