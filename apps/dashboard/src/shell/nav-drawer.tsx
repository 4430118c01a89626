import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import { useCloseOfOwn } from '../ui/use-close-of-own.ts';
import { useFocusBackToOpener } from '../ui/use-focus-back-to-opener.ts';
import classes from './app-frame.module.css';

type Props = { opened: boolean; onClose: () => void; children: ReactNode };

/** The rail on narrow screens. */
export function NavDrawer({ opened, onClose, children }: Props) {
  const own = useCloseOfOwn(onClose);
  useFocusBackToOpener(own.ref, opened);
  return (
    <Drawer
      {...own}
      opened={opened}
      returnFocus={false}
      size={280}
      withCloseButton={false}
      padding={0}
      attributes={{ content: { 'aria-label': t('Navigation') } }}
      classNames={{ body: classes.drawerBody ?? '', content: classes.drawerContent ?? '' }}
    >
      {children}
    </Drawer>
  );
}
