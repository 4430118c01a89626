import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloudUp } from '@tabler/icons-react';
import { failureText } from '../../../../components/failure-text.ts';
import { dateFormat, useReader } from '../../../../ui/reader.ts';
import classes from './draft.module.css';
import type { SaveState, Theirs } from './draft-saver.ts';

type Props = { state: SaveState; onRetry: () => void; onResolve: () => void };

/** Whether what is typed is safe: "Saved 10:31", or why not. */
export function SaveWords({ state, onRetry, onResolve }: Props) {
  const reader = useReader();
  return (
    <span className={classes.words} role="status" data-state={state.status}>
      {wordsOf()}
    </span>
  );

  function wordsOf() {
    switch (state.status) {
      case 'saved': {
        const at = state.at && dateFormat(reader, { hour: '2-digit', minute: '2-digit' }).format(state.at);
        return (
          <>
            <IconCheck size={14} aria-hidden />
            {at === undefined ? 'All changes saved' : `Saved ${at}`}
          </>
        );
      }
      case 'waiting':
      case 'saving':
        return (
          <>
            <IconCloudUp size={14} aria-hidden />
            Saving…
          </>
        );
      case 'failed':
        return (
          <>
            <IconAlertTriangle size={14} aria-hidden />
            <span>Not saved: {failureText(state.error)}</span>
            <UnstyledButton className={classes.link} onClick={onRetry}>
              Try again
            </UnstyledButton>
          </>
        );
      case 'conflict':
        return (
          <>
            <IconAlertTriangle size={14} aria-hidden />
            <span>Not saved: {meanwhile(state.theirs)}</span>
            <UnstyledButton className={classes.link} onClick={onResolve}>
              Choose
            </UnstyledButton>
          </>
        );
    }
  }
}

function meanwhile({ what, by, at }: Theirs): string {
  return what === 'saved' ? `${by} saved meanwhile.` : `${by} published version ${at.version} meanwhile.`;
}
