import type { TenantUser } from '@airdeck/contracts/users/schema';
import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/translate.ts';
import { usePeople } from './use-people.ts';

type Option = { value: string; label: string };

type Props = Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'w'> & {
  /** A username, or a value of those above. */
  value: string | null;
  onChange: (value: string) => void;
  /** Who can be chosen. */
  fits: (person: TenantUser) => boolean;
  /** Stand above the people. */
  above?: readonly Option[];
  nobodyFits: string;
};

const SHOWN = 50;

/** One person of the tenant, looked for by name or address. */
export function PersonSelect({ value, onChange, fits, above = [], nobodyFits, ...field }: Props) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Option>();
  // What stands in the field is who is chosen, not a search.
  const isChosen = [...above, chosen].some((each) => each?.value === value && each.label === typed);
  const { people, isSearching, isError } = usePeople(isChosen ? '' : typed);
  return (
    <Select
      {...field}
      value={value}
      onChange={(next, option) => {
        if (next === null) return;
        setChosen(option ?? undefined);
        onChange(next);
      }}
      data={[
        ...above,
        ...people.filter(fits).map(({ uname, fullname }) => ({ value: uname, label: `${fullname} (${uname})` })),
      ]}
      searchable
      selectFirstOptionOnChange
      autoSelectOnBlur
      // What was typed is nobody yet: it would send the form with whoever was chosen before.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed !== '' && !isChosen) event.preventDefault();
      }}
      allowDeselect={false}
      limit={SHOWN}
      onSearchChange={setTyped}
      // Who is chosen gives way to what is typed.
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage={isSearching ? t('Searching…') : nobodyFits}
      error={isError ? t('The people of this tenant could not be loaded.') : undefined}
    />
  );
}
