import type { IntegrationDetail } from '@airdeck/contracts/integrations/schema';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './setup-panel.module.css';

/** Where the credentials come from, and what else is good to know before connecting. Nothing when nothing is. */
export function SetupPanel({
  of: { name, setup, config_schema: schema },
}: {
  of: Pick<IntegrationDetail, 'name' | 'setup' | 'config_schema'>;
}) {
  const { steps, permissions, notes, unconfirmed, url } = setup;
  if (steps.length + permissions.length + notes.length + unconfirmed.length === 0 && url === null) return null;
  return (
    <Panel title={titleOf({ steps, asksNothing: formFields(schema).length === 0 })}>
      <div className={classes.root}>
        {steps.length === 0 ? null : (
          <ol className={classes.steps}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {permissions.length === 0 ? null : (
          <Part title={t('Rights it needs in {name}', { name })}>
            <ul className={`${classes.list} air-mono`}>
              {permissions.map((permission) => (
                <li key={permission}>{permission}</li>
              ))}
            </ul>
          </Part>
        )}
        {notes.length === 0 ? null : (
          <Sentences {...(steps.length === 0 ? {} : { title: t('Good to know') })} of={notes} />
        )}
        {unconfirmed.length === 0 ? null : (
          <details className={classes.part}>
            <summary className={classes.title}>{t('Not confirmed ({count})', { count: unconfirmed.length })}</summary>
            <p className={classes.words}>
              {t('Taken for granted about {name} without a published source at hand:', { name })}
            </p>
            <ul className={classes.list}>
              {unconfirmed.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </details>
        )}
        {url === null ? null : (
          <a className={classes.link} href={url} target="_blank" rel="noreferrer">
            {t('The vendor’s description of its API')}
            <IconExternalLink size={14} aria-label={t('Opens in a new tab')} />
          </a>
        )}
      </div>
    </Panel>
  );
}

function titleOf({ steps, asksNothing }: { steps: readonly string[]; asksNothing: boolean }): string {
  if (steps.length === 0) return t('Good to know');
  return asksNothing ? t('How to connect it') : t('How to get the credentials');
}

function Sentences({ title, of }: { title?: string; of: readonly string[] }) {
  const list = (
    <ul className={classes.list}>
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
  return title === undefined ? list : <Part title={title}>{list}</Part>;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <h3 className={classes.title}>{title}</h3>
      {children}
    </div>
  );
}
