import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import classes from './dialog.module.css';
import { useCloseOfOwn } from './use-close-of-own.ts';
import { useFocusBackToOpener } from './use-focus-back-to-opener.ts';

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
  const own = useCloseOfOwn(onClose);
  useFocusBackToOpener(own.ref);
  return (
    <Modal
      {...own}
      opened
      closeOnEscape={!closesOnlyByButton}
      closeOnClickOutside={!closesOnlyByButton}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{
        root: classes.root ?? '',
        overlay: classes.overlay ?? '',
        title: classes.title ?? '',
        header: classes.header ?? '',
        content: classes.content ?? '',
      }}
    >
      {children}
    </Modal>
  );
}
