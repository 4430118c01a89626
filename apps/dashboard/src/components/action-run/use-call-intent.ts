import { useState } from 'react';
import type { CallIntent } from '../../queries/activity.ts';
import { createCallIntent } from './call-intent.ts';

/** What a person means by the button of this form, for as long as the form is there. */
export function useCallIntent(): CallIntent {
  const [intent] = useState(() => createCallIntent(() => crypto.randomUUID()));
  return intent;
}
