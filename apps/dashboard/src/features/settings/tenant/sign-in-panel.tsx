import { Switch } from '@mantine/core';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';
import settingsClasses from '../settings.module.css';
import { SsoBlock } from './sso-block.tsx';
import { SsoDomainsBlock } from './sso-domains-block.tsx';
import { SsoOnlyForm } from './sso-only-form.tsx';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

/** How people of the tenant sign in. */
export function SignInPanel() {
  return (
    <div className={settingsClasses.stack}>
      <AuthenticatorBlock />
      <SsoBlock />
      <SsoDomainsBlock />
      <SsoOnlyForm />
    </div>
  );
}

function AuthenticatorBlock() {
  const { mfa } = useTenantSettings();
  const change = useSettingsChange();
  return (
    <Panel title={t('Authenticator')} flush>
      <SettingRow
        title={t('After a password')}
        text={t('Always asked for. Whoever has no authenticator sets one up with the first sign-in.')}
      />
      <SettingRow
        title={t('After single sign-on too')}
        text={
          <>
            {t(
              'People who come from an external account also enter a code of their authenticator here. Leave it off where the issuer asks for a second factor itself.',
            )}
            <ProblemNote error={change.error} />
          </>
        }
        actions={
          <Switch
            aria-label={t('Ask for an authenticator after single sign-on too')}
            checked={change.isPending ? change.variables.mfa?.required_for_social === true : mfa.required_for_social}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate(
                { mfa: { required_for_social: event.currentTarget.checked } },
                { onSuccess: () => showDone(t('Sign-in saved')) },
              )
            }
          />
        }
      />
    </Panel>
  );
}
