import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export type OpenTooltipProps = {
  target: HTMLElement;
  id: string;
  label: ReactNode;
  position: 'top' | 'bottom' | 'right' | 'left';
  width: number | undefined;
};

/** The tooltip of a `Tip` while it is open; a module of its own so that it loads on its own. */
export function OpenTooltip({ target, id, label, position, width }: OpenTooltipProps) {
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
