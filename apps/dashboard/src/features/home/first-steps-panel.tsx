import type { FirstSteps } from '@airdeck/contracts/dashboards/schema';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { homeQueries, isDone } from '../../queries/home.ts';
import { type Area, useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './first-steps.module.css';
import type { Widgets } from './use-widgets.ts';
import { firstStepsOf } from './widget-store.ts';

type Step = {
  key: keyof FirstSteps;
  title: string;
  text: string;
  /** What the link says. */
  go: string;
  to: NonNullable<LinkProps['to']>;
  area: Area;
  /** Who can do it, for those who cannot. */
  who: string;
};

/** In the order in which each makes the next one worth doing. */
const steps: readonly Step[] = [
  {
    key: 'source_connected',
    title: t('Connect a source'),
    text: t('A source is a system that sends its log lines here, such as a firewall or a server.'),
    go: t('Begin a set-up'),
    to: '/set-up',
    area: 'onboarding',
    who: t('An Admin or System Manager does this.'),
  },
  {
    key: 'events_seen',
    title: t('See events'),
    text: t('An event is one log line, taken apart into fields one can search for.'),
    go: t('Open search'),
    to: '/search',
    area: 'search',
    who: t('Search needs an Analyst, and a plan that includes it.'),
  },
  {
    key: 'policies_enabled',
    title: t('Enable policies'),
    text: t('A policy watches the events and opens a case when they match.'),
    go: t('Open policies'),
    to: '/air/policy-management',
    area: 'airWork',
    who: t('An Analyst does this.'),
  },
  {
    key: 'automation_enabled',
    title: t('Automate a response'),
    text: t('A response acts by itself when a case opens, such as blocking an address on the firewall.'),
    go: t('Open automations'),
    to: '/air/automation-settings',
    area: 'airAutomation',
    who: t('An Analyst does this.'),
  },
];

/** What a new tenant needs to be watched; gone when its data says that all is done. Whoever hides it finds it as a line. */
export function FirstStepsPanel({ widgets: { layout, hide } }: { widgets: Widgets }) {
  const tenantApi = useTenantApi();
  const { data } = useQuery(homeQueries.firstSteps(tenantApi));
  const part = firstStepsOf(tenantApi.tenantId);
  if (data === undefined || isDone(data)) return null;
  const done = steps.filter((step) => data[step.key]).length;
  if (layout.hidden.includes(part)) {
    return (
      <div className={classes.line}>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => hide(part, false)}>
          {t('First steps: {done} of {count} done', { done, count: steps.length })}
        </Button>
      </div>
    );
  }
  const next = steps.find((step) => !data[step.key]);
  return (
    <div className={classes.panel}>
      <Panel
        title={t('First steps')}
        flush
        aside={
          <span className={classes.aside}>
            {t('{done} of {count} done', { done, count: steps.length })}
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => hide(part, true)}>
              {t('Hide')}
            </Button>
          </span>
        }
      >
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepRow key={step.key} step={step} done={data[step.key]} next={step === next} />
          ))}
        </ol>
      </Panel>
    </div>
  );
}

function StepRow({ step, done, next }: { step: Step; done: boolean; next: boolean }) {
  const { allowed } = useAccess(step.area);
  const Icon = done ? IconCircleCheck : IconCircleDashed;
  return (
    <li className={classes.step} data-done={done || undefined}>
      <Icon size={20} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <span className={classes.title}>
          {step.title}
          {done ? <span className={classes.done}>{t('Done')}</span> : null}
        </span>
        <span className={classes.text}>{step.text}</span>
        {allowed ? (
          <Button
            className={classes.go ?? ''}
            variant={next ? 'filled' : 'default'}
            size="compact-sm"
            renderRoot={(props) => <Link to={step.to} {...props} />}
          >
            {step.go}
          </Button>
        ) : (
          <span className={classes.text}>{done ? null : step.who}</span>
        )}
      </div>
    </li>
  );
}
