import { Drawer } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../language/translate.ts';

type Props = {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Detail beside a list, 540 px wide; the whole width on phones. Esc and the cross close it. */
export function SidePanel({ title, opened, onClose, children }: Props) {
  const isCovered = useIsCoveredAtKey();
  return (
    <Drawer
      opened={opened}
      onClose={() => {
        if (!isCovered()) onClose();
      }}
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

/**
 * Whether a dialog lay over the panel when the key now being handled was pressed: one Esc reaches both, in either order,
 * and is meant for the upper one. A layout effect, so that this listens before the drawer does.
 */
function useIsCoveredAtKey(): () => boolean {
  const covered = useRef(false);
  useLayoutEffect(() => {
    const note = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      covered.current = document.querySelectorAll('[aria-modal="true"]').length > 1;
      setTimeout(() => {
        covered.current = false;
      });
    };
    window.addEventListener('keydown', note, true);
    return () => window.removeEventListener('keydown', note, true);
  }, []);
  return () => covered.current;
}
