import { known, t } from '../language/translate.ts';
import { presentError } from '../lib/error-presentation.ts';
import { IdentityError } from '../session/identity-provider.ts';

/** One sentence for a failure of the API or of the identity provider, for forms and dialogs. */
export function failureText(error: unknown): string {
  if (!(error instanceof IdentityError)) return presentError(error).text;
  return error.retryAfterS === undefined
    ? known(error.message)
    : t('{message} You can try again in {waitText}.', {
        message: known(error.message),
        waitText: waitText(error.retryAfterS),
      });
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : t('{ceil} min', { ceil: Math.ceil(seconds / 60) });
}
