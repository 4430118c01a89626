import { IconAlertTriangle } from '@tabler/icons-react';
import { UNEXPECTED_TEXT } from '../../lib/error-presentation.ts';
import { IdentityError } from '../../session/identity-provider.ts';
import classes from './auth.module.css';

/** Failure of a sign-in form, above its fields. */
export function AuthProblem({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const wait = error instanceof IdentityError ? error.retryAfterS : undefined;
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {error instanceof IdentityError ? error.message : UNEXPECTED_TEXT}
        {wait === undefined ? '' : ` You can try again in ${wait} s.`}
      </span>
    </div>
  );
}
