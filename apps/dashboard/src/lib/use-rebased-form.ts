import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rebasedFields } from './rebased-fields.ts';

type Given<Base, Fields> = {
  /** As it was read last; undefined for what is new, or gone. */
  current: Base;
  fieldsOf: (base: Base) => Fields;
  /** Reads it anew. */
  read: (base: Base) => Promise<Base | undefined>;
  /** What saves it: its failure is over once it is loaded again. */
  save: { reset: () => void };
};

/**
 * Fields of a form with what they were made from, so that saving can say it and nobody else's change is written over. Until
 * something is typed both follow what is read; from then on they stay, until it is loaded again beneath what was typed.
 */
export function useRebasedForm<Base, Fields extends object>({ current, fieldsOf, read, save }: Given<Base, Fields>) {
  const begun = (base: Base) => ({ base, fields: fieldsOf(base) });
  const isTyped = (form: { base: Base; fields: Fields }) =>
    JSON.stringify(form.fields) !== JSON.stringify(fieldsOf(form.base));
  const [kept, setKept] = useState(() => begun(current));
  const { base, fields } = current === undefined || isTyped(kept) ? kept : begun(current);
  const reload = useMutation({
    mutationFn: () => read(base),
    onSuccess: (now) => {
      if (now === undefined) return;
      // What was typed while it was read counts too.
      setKept((typed) => ({ base: now, fields: rebasedFields(fieldsOf(typed.base), typed.fields, fieldsOf(now)) }));
      save.reset();
    },
  });
  return {
    ...{ base, fields, reload },
    isTyped: isTyped({ base, fields }),
    edit: (part: Partial<Fields>) => setKept({ base, fields: { ...fields, ...part } }),
    discard: () => setKept(begun(current)),
    /** After `sent` was saved: what was typed meanwhile is the next change, made from what is there now. */
    settle: (sent: Fields, now: Base) =>
      setKept((typed) =>
        isTyped(typed) ? { base: now, fields: rebasedFields(sent, typed.fields, fieldsOf(now)) } : begun(now),
      ),
  };
}
