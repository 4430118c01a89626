import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { known, t } from '../language/translate.ts';
import { type PresentedError, presentError, UNEXPECTED_TEXT } from '../lib/error-presentation.ts';
import { failedQuery } from '../lib/load-failures.ts';
import { isLostCode } from '../lib/lost-code.ts';
import { wipeCaches } from '../lib/wipe-caches.ts';
import { useApp } from '../session/app-context.ts';
import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

// This page is part of the first chunk, so it brings nothing it can do without.
const CopyButton = lazy(() => import('../ui/copy-button.tsx').then((module) => ({ default: module.CopyButton })));

/** Spec §2, root error page; also what stands in the frame when a screen cannot load. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { queryClient, storage } = useApp();
  const [busy, setBusy] = useState(false);
  const shown = presentError(error);
  const said = sentenceOf(error, shown);
  const tryAgain = async () => {
    setBusy(true);
    // A server that answers has the files of its own release; one that does not leaves what there is on the screen.
    if (isLostCode(error))
      await fetch('/config.json').then(
        () => window.location.reload(),
        () => undefined,
      );
    await wipeCaches(queryClient, storage);
    reset();
    await router.invalidate();
    setBusy(false);
  };
  return (
    <MessagePage
      title={t('Unexpected Error')}
      section={t('Error')}
      actions={
        <>
          <Button onClick={() => void tryAgain()} loading={busy}>
            {t('Try Again')}
          </Button>
          <Button variant="default" component={Link} to="/home">
            {t('Go home')}
          </Button>
        </>
      }
    >
      {shown.status === undefined || shown.status < 400 ? (
        <p>{known(UNEXPECTED_TEXT)}</p>
      ) : (
        <p className="air-figures">{t('Error code {status}', { status: shown.status })}</p>
      )}
      {said === undefined ? null : <p>{said}</p>}
      {shown.requestId === undefined ? null : (
        <span className={classes.request}>
          <span className="air-mono">{shown.requestId}</span>
          <Suspense fallback={null}>
            <CopyButton value={shown.requestId} label={t('Copy request id')} />
          </Suspense>
        </span>
      )}
    </MessagePage>
  );
}

/** The words of the screen that did not load (spec §8), or of what failed; of a mistake of ours there are none. */
function sentenceOf(error: unknown, { title, text, category }: PresentedError): string | undefined {
  if (failedQuery(error) !== undefined) return `${title} ${text}`;
  return category === 'unknown' ? undefined : text;
}
