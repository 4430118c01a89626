import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Groups of radios and boxes are not marked themselves, only described by their problem. */
const TO_MEND = '[aria-invalid="true"], [role$="group"][aria-describedby*="-error"] input';

/**
 * A form that is refused sends the focus to the first thing to mend, whose problem is read out with it. `refuse` is for its own
 * check, `failure` the server's answer, which may name fields; one that names none stands in a note, which is read out itself.
 * Whoever has typed on meanwhile is left where they are.
 */
export function useRefusal<Form extends HTMLElement = HTMLFormElement>(
  failure?: unknown,
): { form: RefObject<Form | null>; refuse: () => void } {
  const form = useRef<Form>(null);
  const [refusals, setRefusals] = useState(0);
  useLayoutEffect(() => {
    if (refusals > 0) focusFirst(form.current);
  }, [refusals]);
  const hasTyped = useTypedSincePress(form);
  useLayoutEffect(() => {
    if (failure && !hasTyped.current) focusFirst(form.current);
  }, [failure, hasTyped]);
  return { form, refuse: () => setRefusals((before) => before + 1) };
}

/** Whether something was typed in the form since a button, or a key that sends it, was last pressed. */
function useTypedSincePress(form: RefObject<HTMLElement | null>): RefObject<boolean> {
  const hasTyped = useRef(false);
  useEffect(() => {
    const typed = ({ target }: Event) => {
      if (form.current?.contains(target as Node)) hasTyped.current = true;
    };
    const pressed = (event: MouseEvent | KeyboardEvent) => {
      if (!('key' in event) || event.key === 'Enter' || event.ctrlKey || event.metaKey) hasTyped.current = false;
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('input', typed, { signal });
    document.addEventListener('click', pressed, { signal, capture: true });
    document.addEventListener('keydown', pressed, { signal, capture: true });
    return () => listening.abort();
  }, [form]);
  return hasTyped;
}

function focusFirst(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>(TO_MEND)?.focus();
}
