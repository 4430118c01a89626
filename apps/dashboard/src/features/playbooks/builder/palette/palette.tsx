import { ActionIcon, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { EffectBadge } from '../../../../components/effect-badge.tsx';
import { StepIcon } from '../../../../components/flow/step-icon.tsx';
import { plural } from '../../../../language/plural.ts';
import { t } from '../../../../language/translate.ts';
import { connectorQueries } from '../../../../queries/connectors.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { addSteps } from '../add-steps.ts';
import { type Place, useBuilder } from '../builder-context.ts';
import { useStepNames } from '../graph/use-step-names.ts';
import { dragStep } from './dragged-step.ts';
import classes from './palette.module.css';
import { matchingGroups, type PaletteItem, paletteGroups } from './palette-groups.ts';

/** Steps to add: by a click, Enter, or by dragging one onto the graph. */
export function Palette({ place, onAdded }: { place: Place; onAdded: () => void }) {
  const builder = useBuilder();
  const { show } = builder;
  const [typed, setTyped] = useState('');
  const [between, setBetween] = useState(true);
  const list = useRef<HTMLDivElement>(null);
  const all = usePalette();
  const groups = useMemo(() => matchingGroups(all, typed), [all, typed]);

  const add = (item: PaletteItem) => {
    const adding = {
      type: 'add' as const,
      action: item.make(),
      after: place.after,
      before: between ? place.before : [],
    };
    if (addSteps(builder, adding, t('{name} added', { name: item.label }))) onAdded();
  };
  const [first] = groups[0]?.items ?? [];
  return (
    <section className={classes.root} aria-label={t('Steps to add')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('Add a step')}</h2>
        <ActionIcon aria-label={t('Close')} onClick={() => show({ show: 'form' })}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <PlaceWords place={place} between={between} onBetween={setBetween} />
      <TextInput
        aria-label={t('Search steps')}
        placeholder={t('Search actions and products')}
        leftSection={<IconSearch size={16} aria-hidden />}
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first !== undefined) add(first);
          if (event.key === 'ArrowDown') walk(event, list.current, 'first');
          if (event.key === 'Escape') show({ show: 'form' });
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among the buttons inside */}
      <div
        ref={list}
        className={classes.list}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') walk(event, list.current, 'next');
          if (event.key === 'ArrowUp') walk(event, list.current, 'before');
          if (event.key === 'Escape') show({ show: 'form' });
        }}
      >
        {groups.map(({ title, items }) => (
          <Group key={title} title={title} items={items} onAdd={add} />
        ))}
        {groups.length === 0 ? (
          <p className={classes.none}>{t('Nothing is called “{query}”.', { query: typed })}</p>
        ) : null}
      </div>
    </section>
  );
}

function usePalette() {
  const { id, known } = useBuilder();
  const connectors = useQuery(connectorQueries.list(useTenantApi()));
  return useMemo(
    () =>
      paletteGroups({
        actions: [...known.actions.values()],
        playbooks: [...known.playbooks.values()],
        ownId: id,
        connected:
          connectors.data &&
          new Set(connectors.data.filter(({ enabled }) => enabled).map(({ definition_id }) => definition_id)),
      }),
    [known, id, connectors.data],
  );
}

type PlaceProps = { place: Place; between: boolean; onBetween: (between: boolean) => void };

/** Where the step goes, and whether what follows there now waits for it. */
function PlaceWords({ place, between, onBetween }: PlaceProps) {
  const nameOf = useStepNames();
  const after = place.after.map(nameOf).join(` ${t('and')} `);
  const before = place.before.map(nameOf).join(` ${t('and')} `);
  return (
    <div className={classes.place}>
      <p>{after === '' ? t('It runs at the start.') : t('It runs after {after}.', { after })}</p>
      {before === '' ? null : (
        <Switch
          size="xs"
          label={plural(
            place.before.length,
            'In between: {before} runs after it',
            'In between: {before} run after it',
            { before },
          )}
          checked={between}
          onChange={(event) => onBetween(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

type GroupProps = { title: string; items: readonly PaletteItem[]; onAdd: (item: PaletteItem) => void };

function Group({ title, items, onAdd }: GroupProps) {
  const titleId = useId();
  const aboutOf = ({ unconnected, about }: PaletteItem) => (unconnected === true ? t('No connector yet') : about);
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.groupTitle}>
        {title}
      </h3>
      <ul className={classes.items}>
        {items.map((item) => (
          <li key={item.key}>
            <UnstyledButton
              className={classes.item}
              data-palette-item
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'copy';
                event.dataTransfer.setData('text/plain', item.label);
                dragStep(item.make());
              }}
              onDragEnd={() => dragStep(undefined)}
              onClick={() => onAdd(item)}
            >
              <span className={classes.icon}>
                <StepIcon kind={item.kind} />
              </span>
              <span className={classes.words}>
                <span className={classes.label} title={item.label}>
                  {item.label}
                </span>
                <span className={classes.about} title={aboutOf(item)}>
                  {aboutOf(item)}
                </span>
              </span>
              {item.effect === undefined ? null : <EffectBadge effect={item.effect} variant="plain" />}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Sends the focus to the next item of the list, or the one before. */
function walk(event: KeyboardEvent, list: HTMLElement | null, to: 'first' | 'next' | 'before'): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[data-palette-item]') ?? [])];
  const at = items.findIndex((item) => item.matches(':focus'));
  const next = to === 'first' ? items[0] : items[to === 'next' ? at + 1 : at - 1];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
