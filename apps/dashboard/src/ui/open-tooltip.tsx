import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';

export type OpenTooltipProps = {
  target: HTMLElement;
  id: string;
  label: ReactNode;
  position: 'top' | 'bottom' | 'right' | 'left';
  width: number | undefined;
  close: () => void;
};

/** The tooltip of a `Tip` while it is open; a module of its own so that it loads on its own. */
export function OpenTooltip({ target, id, label, position, width, close }: OpenTooltipProps) {
  // An element that was replaced or taken away sends no event that would close its tip.
  useEffect(() => {
    if (!target.isConnected) close();
  });
  useCloseFromElsewhere(target, close);
  // Inside a landmark, as all text of a page should be; a dialog is one of its own.
  const landmark = target.closest('[role="dialog"]') === null ? document.querySelector('main') : null;
  return (
    <Tooltip
      {...(landmark === null ? {} : { portalProps: { target: landmark } })}
      target={target}
      opened
      position={position}
      label={<span id={id}>{label}</span>}
      {...(width === undefined ? {} : { multiline: true, w: width })}
    />
  );
}

/** A finger does not leave what it tapped: the next tap elsewhere closes the tip, as does what takes the focus, say a dialog. */
function useCloseFromElsewhere(target: HTMLElement, close: () => void): void {
  const onOther = useEffectEvent((event: Event) => {
    const other = event.target as Node;
    // The tap that opened it gives the focus to what may have it: the element itself, or what is around it.
    if (!target.contains(other) && !(event.type === 'focusin' && other.contains(target))) close();
  });
  useEffect(() => {
    document.addEventListener('pointerdown', onOther, true);
    document.addEventListener('focusin', onOther);
    return () => {
      document.removeEventListener('pointerdown', onOther, true);
      document.removeEventListener('focusin', onOther);
    };
  }, []);
}
