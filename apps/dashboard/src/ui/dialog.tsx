import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../language/translate.ts';
import classes from './dialog.module.css';
import { useCloseOfOwn } from './use-close-of-own.ts';

type Props = {
  title: string;
  /** Esc, the cross and a click beside it. */
  onClose: () => void;
  /** Neither Esc nor a click beside it close it: for what is shown this one time. */
  closesOnlyByButton?: boolean;
  /** Pixels. */
  size?: number;
  /** What the cross does, for readers. */
  closeLabel?: string;
  children: ReactNode;
};

/** A dialog over the screen, open as long as it is mounted. Esc closes the uppermost only. */
export function Dialog(props: Props) {
  const { title, onClose, closesOnlyByButton = false, size = 460, closeLabel = t('Cancel'), children } = props;
  useFocusBackToOpener();
  return (
    <Modal
      {...useCloseOfOwn(onClose)}
      opened
      closeOnEscape={!closesOnlyByButton}
      closeOnClickOutside={!closesOnlyByButton}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{ title: classes.title ?? '', header: classes.header ?? '', content: classes.content ?? '' }}
    >
      {children}
    </Modal>
  );
}

/** Mantine gives the focus back only where a dialog stays mounted while it closes; this one is gone at once. */
function useFocusBackToOpener(): void {
  const [opener] = useState(openerNow);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
    },
    [opener],
  );
}

/** What was pressed; of an item of a menu, which closes, the button of the menu. */
function openerNow(): HTMLElement | null {
  const { activeElement } = document;
  const menu = activeElement?.closest('[role="menu"]');
  if (menu) return document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return activeElement instanceof HTMLElement ? activeElement : null;
}
