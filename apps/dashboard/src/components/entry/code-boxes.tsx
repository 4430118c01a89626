import { PinInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/translate.ts';

/** Of a code of an authenticator app. */
export const CODE_DIGITS = 6;

type Props = {
  code: string;
  busy: boolean;
  onChange: (code: string) => void;
  /** When the last digit is in. */
  onComplete: (code: string) => void;
};

/** Code of the authenticator app, a box per digit; emptied after a wrong one it begins anew, with the focus on the first. */
export function CodeBoxes({ code, busy, onChange, onComplete }: Props) {
  const round = useRound(code);
  return (
    <PinInput
      key={round}
      length={CODE_DIGITS}
      type="number"
      oneTimeCode
      autoFocus
      placeholder=""
      size="md"
      gap="xs"
      aria-label={t('Code')}
      getInputProps={(index) => ({
        'aria-label': t('Digit {value} of {CODE_DIGITS}', { value: index + 1, CODE_DIGITS }),
        // A dialog chooses for itself what has the focus.
        ...(index === 0 ? { 'data-autofocus': true } : {}),
      })}
      disabled={busy}
      value={code}
      onChange={onChange}
      onComplete={onComplete}
    />
  );
}

/**
 * Counts how often a full code was taken back. The boxes report a full code once until somebody deletes from it: emptied
 * by us after a wrong one, they would keep silent about the next one pasted, so each round gets its own.
 */
function useRound(code: string): number {
  const [state, setState] = useState({ round: 0, full: false });
  const full = code.length === CODE_DIGITS;
  if (full === state.full) return state.round;
  const round = state.full && code === '' ? state.round + 1 : state.round;
  setState({ round, full });
  return round;
}
