import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type FieldWords, overwritten, rebasedFields } from './rebased-fields.ts';

type Kept<Base, Fields> = {
  base: Base;
  fields: Fields;
  /** What the fields were made from before they were loaded again. */
  before?: Fields | undefined;
};

type Given<Base, Fields> = {
  /** As it was read last; undefined for what is new, or gone. */
  current: Base;
  fieldsOf: (base: Base) => Fields;
  /** Of each field that is not a list: both parts of a list are kept. */
  wordsOf: (fields: Fields) => FieldWords;
  /** Reads it anew. */
  read: (base: Base) => Promise<Base | undefined>;
  /** What saves it: its failure is over once it is loaded again. */
  save: { reset: () => void };
};

/**
 * Fields of a form with what they were made from, so that saving can say it and nobody else's change is written over. Until
 * something is typed both follow what is read; from then on they stay, until it is loaded again beneath what was typed.
 */
export function useRebasedForm<Base, Fields extends object>(given: Given<Base, Fields>) {
  const { current, fieldsOf, wordsOf, read, save } = given;
  const begun = (base: Base): Kept<Base, Fields> => ({ base, fields: fieldsOf(base) });
  const isTyped = (form: Kept<Base, Fields>) => JSON.stringify(form.fields) !== JSON.stringify(fieldsOf(form.base));
  const [kept, setKept] = useState(() => begun(current));
  const { before } = kept;
  const { base, fields } = current === undefined || isTyped(kept) ? kept : begun(current);
  const reload = useMutation({
    mutationFn: () => read(base),
    onSuccess: (now) => {
      if (now === undefined) return;
      // What was typed while it was read counts too.
      setKept((typed) => ({
        base: now,
        fields: rebasedFields(fieldsOf(typed.base), typed.fields, fieldsOf(now)),
        before: fieldsOf(typed.base),
      }));
      save.reset();
    },
  });
  return {
    ...{ base, fields, reload },
    /** After it was loaded again: what somebody else saved and saving now would replace. */
    theirs: before === undefined ? undefined : overwritten(wordsOf(before), wordsOf(fields), wordsOf(fieldsOf(base))),
    isTyped: isTyped({ base, fields }),
    edit: (part: Partial<Fields>) => setKept({ base, fields: { ...fields, ...part }, before }),
    discard: () => setKept(begun(current)),
    /** After `sent` was saved: what was typed meanwhile is the next change, made from what is there now. */
    settle: (sent: Fields, now: Base) =>
      setKept((typed) =>
        isTyped(typed) ? { base: now, fields: rebasedFields(sent, typed.fields, fieldsOf(now)) } : begun(now),
      ),
  };
}
