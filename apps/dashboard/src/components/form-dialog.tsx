import { type ComponentProps, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { LeaveQuestion } from './leave-question.tsx';

type Props = ComponentProps<typeof Dialog> & {
  /** Something that was typed would be lost. */
  dirty: boolean;
  /** What was typed is on its way: nothing closes it. */
  busy?: boolean;
};

/**
 * A dialog with a form in it: Esc, the cross, a click beside it and a way off the screen ask before they drop what was
 * typed. The form's own button to cancel does not.
 */
export function FormDialog({ dirty, busy = false, onClose, ...props }: Props) {
  const [asking, setAsking] = useState(false);
  const close = () => {
    if (busy) return;
    if (dirty) setAsking(true);
    else onClose();
  };
  return (
    <>
      <Dialog {...props} onClose={close} />
      {asking ? <LeaveQuestion onLeave={onClose} onStay={() => setAsking(false)} /> : null}
      <LeaveGuard dirty={dirty} />
    </>
  );
}
