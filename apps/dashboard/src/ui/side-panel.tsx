import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import { useCloseOfOwn } from './use-close-of-own.ts';
import { useFocusBackToOpener } from './use-focus-back-to-opener.ts';

type Props = {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  /** Neither Esc nor a click beside it close it: while it shows what is shown this one time. */
  closesOnlyByButton?: boolean;
  children: ReactNode;
};

/**
 * Detail beside a list, 540 px wide; the whole width on phones. Esc and the cross close it, and the focus goes back to what
 * opened it.
 */
export function SidePanel({ title, opened, onClose, closesOnlyByButton = false, children }: Props) {
  const own = useCloseOfOwn(onClose);
  useFocusBackToOpener(own.ref, opened);
  return (
    <Drawer
      {...own}
      opened={opened}
      closeOnEscape={!closesOnlyByButton}
      closeOnClickOutside={!closesOnlyByButton}
      returnFocus={false}
      title={title}
      position="right"
      size="min(540px, 100vw)"
      overlayProps={{ backgroundOpacity: 0.25 }}
      closeButtonProps={{ 'aria-label': t('Close') }}
      styles={{
        content: { background: 'var(--air-panel)', borderLeft: '1px solid var(--air-border)' },
        header: { background: 'var(--air-panel)', borderBottom: '1px solid var(--air-border)' },
        title: { fontWeight: 600, minWidth: 0 },
        body: { padding: 16 },
      }}
    >
      {children}
    </Drawer>
  );
}
