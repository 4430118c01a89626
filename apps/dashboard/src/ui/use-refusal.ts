import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Groups of radios and boxes are not marked themselves, only described by their problem. */
const TO_MEND = '[aria-invalid="true"], [role$="group"][aria-describedby*="-error"] input';

/**
 * A form that is refused sends the focus to the first thing to mend, whose problem is read out with it. `refuse` is for its own
 * check, `failure` the server's answer, which may name fields; one that names none stands in a note, which is read out itself.
 */
export function useRefusal<Form extends HTMLElement = HTMLFormElement>(
  failure?: unknown,
): { form: RefObject<Form | null>; refuse: () => void } {
  const form = useRef<Form>(null);
  const [refusals, setRefusals] = useState(0);
  useLayoutEffect(() => {
    if (refusals > 0) focusFirst(form.current);
  }, [refusals]);
  useLayoutEffect(() => {
    if (failure) focusFirst(form.current);
  }, [failure]);
  return { form, refuse: () => setRefusals((before) => before + 1) };
}

function focusFirst(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>(TO_MEND)?.focus();
}
