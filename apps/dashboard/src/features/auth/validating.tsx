import { Loader, Text } from '@mantine/core';
import { useDocumentTitle } from '../../lib/document-title.ts';
import classes from './auth.module.css';
import { AuthCard } from './auth-card.tsx';

/** Shown while the user is loaded after sign-in. */
export function Validating() {
  useDocumentTitle('Signing in');
  return (
    <AuthCard>
      <div className={classes.center} role="status">
        <Loader size="sm" />
        <Text size="sm">Loading your account…</Text>
      </div>
    </AuthCard>
  );
}
