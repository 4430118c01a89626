import { Modal } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { t } from '../language/translate.ts';
import classes from './dialog.module.css';

type Props = {
  title: string;
  /** Esc, the cross and a click beside it. */
  onClose: () => void;
  /** Pixels. */
  size?: number;
  /** What the cross does, for readers. */
  closeLabel?: string;
  children: ReactNode;
};

/** A dialog over the screen, open as long as it is mounted. Esc closes the uppermost only. */
export function Dialog({ title, onClose, size = 460, closeLabel = t('Cancel'), children }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const isCovered = useIsCoveredAtKey(body);
  return (
    <Modal
      opened
      onClose={() => {
        if (!isCovered()) onClose();
      }}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': closeLabel }}
      classNames={{ title: classes.title ?? '', header: classes.header ?? '', content: classes.content ?? '' }}
    >
      <div ref={body}>{children}</div>
    </Modal>
  );
}

/**
 * Whether another dialog lay over this one when Esc was pressed: the key reaches both, in either order, and is meant for
 * the upper one. A layout effect, so that this listens before the dialogs do.
 */
function useIsCoveredAtKey(body: RefObject<HTMLElement | null>): () => boolean {
  const covered = useRef(false);
  useLayoutEffect(() => {
    const note = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      const uppermost = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
      covered.current = uppermost !== undefined && !uppermost.contains(body.current);
      setTimeout(() => {
        covered.current = false;
      });
    };
    window.addEventListener('keydown', note, true);
    return () => window.removeEventListener('keydown', note, true);
  }, [body]);
  return () => covered.current;
}
