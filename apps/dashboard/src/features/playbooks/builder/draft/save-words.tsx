import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloudUp } from '@tabler/icons-react';
import { failureText } from '../../../../components/failure-text.ts';
import { personName } from '../../../../components/person-name.ts';
import { t } from '../../../../language/translate.ts';
import { useCurrentUser } from '../../../../session/use-current-user.ts';
import { dateFormat, useReader } from '../../../../ui/reader.ts';
import { problemsOfRefusal } from '../document/problem-places.ts';
import classes from './draft.module.css';
import type { SaveState, Theirs } from './draft-saver.ts';

type Props = {
  state: SaveState;
  /** The text on the screen cannot be read, so what is saved is older. */
  unread: boolean;
  onRetry: () => void;
  onResolve: () => void;
};

/** Whether what is typed is safe: "Saved 10:31", or why not. */
export function SaveWords({ state, unread, onRetry, onResolve }: Props) {
  const reader = useReader();
  const { user } = useCurrentUser();
  return (
    <span className={classes.words} role="status" data-state={unread ? 'failed' : state.status}>
      {wordsOf()}
    </span>
  );

  function wordsOf() {
    if (unread) {
      return (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          <span>{t('Not saved: {reason}', { reason: t('The YAML cannot be read.') })}</span>
        </>
      );
    }
    switch (state.status) {
      case 'saved': {
        const at = state.at && dateFormat(reader, { hour: '2-digit', minute: '2-digit' }).format(state.at);
        return (
          <>
            <IconCheck size={14} aria-hidden />
            {at === undefined ? t('All changes saved') : t('Saved {at}', { at })}
          </>
        );
      }
      case 'waiting':
      case 'saving':
        return (
          <>
            <IconCloudUp size={14} aria-hidden />
            {t('Saving…')}
          </>
        );
      case 'failed':
        return (
          <>
            <IconAlertTriangle size={14} aria-hidden />
            <span>{t('Not saved: {reason}', { reason: reasonOf(state.error) })}</span>
            <UnstyledButton className={classes.link} onClick={onRetry}>
              {t('Try again')}
            </UnstyledButton>
          </>
        );
      case 'conflict':
        return (
          <>
            <IconAlertTriangle size={14} aria-hidden />
            <span>{t('Not saved: {reason}', { reason: meanwhile(state.theirs, user) })}</span>
            <UnstyledButton className={classes.link} onClick={onResolve}>
              {t('Choose')}
            </UnstyledButton>
          </>
        );
    }
  }
}

/** With the first thing that is wrong and its place, where the server names any. */
function reasonOf(error: unknown): string {
  const [first] = problemsOfRefusal(error) ?? [];
  const text = failureText(error);
  return first === undefined || first.path === '' ? text : `${text} (${first.path}: ${first.message})`;
}

/** What somebody else did: "Maria saved meanwhile." */
export function meanwhile({ did, by: username, at }: Theirs, me: Parameters<typeof personName>[1]): string {
  const by = personName(username, me);
  return did === 'saved'
    ? t('{by} saved meanwhile.', { by })
    : t('{by} published version {version} meanwhile.', { by, version: at.version });
}
