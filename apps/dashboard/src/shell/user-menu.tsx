import { roleLabels } from '@airdeck/contracts/access/roles';
import { initialsOf } from '@airdeck/domain/initials';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import classes from './user-menu.module.css';

/** Who is signed in, with which role here, and the way out. */
export function UserMenu() {
  const { user } = useCurrentUser();
  const { currentRole } = useSession();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={`Account of ${user.fullname}`}>
          {initialsOf(user.uname)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.name}>{user.fullname}</div>
          <div>{user.email}</div>
          <div>{roleLabels[currentRole]}</div>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/logout" preload={false} leftSection={<IconLogout size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
