import { Drawer, type DrawerProps, Popover, type PopoverProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { t } from '../language/translate.ts';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { useOpenedAtOnce } from '../ui/use-opened-at-once.ts';

type Props = {
  /** The button it belongs to; loaded on its first press, so it opens at once. */
  target: ReactElement;
  title: string;
  popover: Pick<PopoverProps, 'position' | 'width'> & { className: string | undefined };
  drawer: Pick<DrawerProps, 'size' | 'padding' | 'classNames'>;
  children: (close: () => void) => ReactNode;
};

/** Something beside its button; a drawer from below on narrow screens (spec §2). */
export function OpenedBeside({ target, title, popover, drawer, children }: Props) {
  const { button: own, opened, setOpened } = useOpenedAtOnce(target);
  // Known at once, so that a phone does not flash the popover first.
  const narrow = useIsPhone();
  const close = () => setOpened(false);
  const button = cloneElement(own as ReactElement<{ onClick: () => void; 'aria-expanded': boolean }>, {
    'aria-expanded': opened,
    onClick: () => setOpened(!opened),
  });
  if (narrow) {
    return (
      <>
        {button}
        <Drawer
          opened={opened}
          onClose={close}
          title={title}
          position="bottom"
          closeButtonProps={{ 'aria-label': t('Close') }}
          {...drawer}
        >
          {children(close)}
        </Drawer>
      </>
    );
  }
  const { className, ...place } = popover;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus {...place}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown className={className ?? ''} aria-label={title}>
        {children(close)}
      </Popover.Dropdown>
    </Popover>
  );
}
