import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconArrowForwardUp, IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { Tip } from '../../../ui/tip.tsx';
import classes from './builder.module.css';
import { unreadReason, useBuilder } from './builder-context.ts';
import { type BuilderView, builderViews } from './builder-search.ts';
import type { SaveState } from './draft/draft-saver.ts';
import { SaveWords } from './draft/save-words.tsx';
import { placeAfter } from './graph/graph-keys.ts';
import { problemWords } from './graph/step-look.ts';
import { lastSteps } from './steps-list.tsx';

type Props = {
  view: BuilderView;
  onView: (view: BuilderView) => void;
  state: SaveState;
  onRetry: () => void;
  onResolve: () => void;
};

/** Adding, taking back, how it shows, what is wrong, and whether it is saved. */
export function BuilderToolbar({ view, onView, state, onRetry, onResolve }: Props) {
  const { document: doc, change, show, problems, unread } = useBuilder();
  const switchReason = unreadReason({ unread });
  const [selected] = doc.selection;
  const addStep = () => {
    const place =
      selected === undefined
        ? { after: lastSteps(doc.definition.actions), before: [] }
        : placeAfter({ document: doc }, selected);
    show({ show: 'palette', place });
  };
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('Editing')}>
      <GuardedButton
        variant="default"
        reason={switchReason}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={addStep}
      >
        {t('Add step')}
      </GuardedButton>
      <Tip label={t('Undo (Ctrl+Z)')}>
        <ActionIcon aria-label={t('Undo')} {...idle(doc.past.length === 0)} onClick={() => change({ type: 'undo' })}>
          <IconArrowBackUp size={18} aria-hidden />
        </ActionIcon>
      </Tip>
      <Tip label={t('Redo (Ctrl+Shift+Z)')}>
        <ActionIcon aria-label={t('Redo')} {...idle(doc.future.length === 0)} onClick={() => change({ type: 'redo' })}>
          <IconArrowForwardUp size={18} aria-hidden />
        </ActionIcon>
      </Tip>
      <Tip label={switchReason} disabled={switchReason === undefined}>
        <SegmentedControl
          size="xs"
          aria-label={t('Show as')}
          // Another view would take the text away.
          disabled={unread}
          {...(switchReason === undefined ? {} : { 'aria-description': switchReason })}
          data={[
            { value: 'graph', label: t('Graph') },
            { value: 'yaml', label: t('YAML') },
          ]}
          value={view}
          onChange={(value) => {
            const next = builderViews.find((each) => each === value);
            if (next !== undefined) onView(next);
          }}
        />
      </Tip>
      <span className={classes.spacer} />
      <SaveWords state={state} unread={unread} onRetry={onRetry} onResolve={onResolve} />
      <Button
        variant="default"
        leftSection={
          problems.length === 0 && !unread ? (
            <IconCircleCheck size={16} color="var(--air-success)" aria-hidden />
          ) : (
            <IconAlertTriangle size={16} color="var(--air-high)" aria-hidden />
          )
        }
        onClick={() => show({ show: 'problems' })}
      >
        {unread ? problemWords(1) : problems.length === 0 ? t('No problems') : problemWords(problems.length)}
      </Button>
    </div>
  );
}

/** It stays reachable by keyboard, and says it would do nothing. */
function idle(isIdle: boolean) {
  return isIdle ? { 'aria-disabled': true, 'data-disabled': true } : {};
}
