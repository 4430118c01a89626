import { Popover, TextInput, UnstyledButton } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import classes from './expression.module.css';
import { matchingReferences, type ReferenceGroup } from './references.ts';

type Props = {
  /** Of the field it is put into. */
  label: string;
  /** What can be read at this place; asked for when the list opens. */
  references: () => readonly ReferenceGroup[];
  onPick: (expression: string) => void;
};

/** Opens a list of everything that can be referred to at this point. */
export function ReferencePicker({ label, references, onPick }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      withinPortal
      closeOnEscape
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.pickerButton}
          aria-label={t('Insert reference into {label}', { label })}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconBraces size={14} aria-hidden />
          {t('Insert reference')}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.picker ?? ''} aria-label={t('References')}>
        {opened ? (
          <References
            references={references}
            onPick={(expression) => {
              setOpened(false);
              onPick(expression);
            }}
          />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}

function References({ references, onPick }: Omit<Props, 'label'>) {
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const all = useMemo(() => references(), [references]);
  const groups = matchingReferences(all, typed);
  const first = groups[0]?.references[0]?.expression;
  return (
    <>
      <TextInput
        aria-label={t('Search references')}
        placeholder={t('Search, such as score or address')}
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') walk(event, list.current, 1);
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (first !== undefined) onPick(first);
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among the buttons inside */}
      <div
        ref={list}
        className={classes.references}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') walk(event, list.current, 1);
          if (event.key === 'ArrowUp') walk(event, list.current, -1);
        }}
      >
        {groups.map((group) => (
          <Group key={group.title} {...group} onPick={onPick} />
        ))}
        {groups.length === 0 ? <p className={classes.help}>{t('Nothing fits “{typed}”.', { typed })}</p> : null}
      </div>
    </>
  );
}

type GroupProps = ReferenceGroup & { onPick: (expression: string) => void };

function Group({ title, references, onPick }: GroupProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h4 id={titleId} className={classes.referenceGroup}>
        {title}
      </h4>
      <ul className={classes.plainList}>
        {references.map(({ expression, about, type }) => (
          <li key={expression}>
            <UnstyledButton className={classes.reference} data-reference onClick={() => onPick(expression)}>
              <span className={classes.referenceLine}>
                <span className="air-mono">{expression}</span>
                <span className={classes.referenceType}>{type}</span>
              </span>
              {about === '' ? null : <span className={classes.referenceAbout}>{about}</span>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function walk(event: KeyboardEvent, list: HTMLElement | null, by: number): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[data-reference]') ?? [])];
  const next = items[items.findIndex((item) => item.matches(':focus')) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
