import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { Title } from '@mantine/core';
import { CaseStatusBadge, SeverityBadge } from '../../../components/status-badge.tsx';
import { tx } from '../../../language/rich-text.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { AssigneeControl } from './assignee-control.tsx';
import classes from './case.module.css';
import { CaseActions } from './case-actions.tsx';
import { SeverityControl } from './severity-control.tsx';
import type { CaseUpdater } from './use-case-update.ts';

export type CaseVariant = 'page' | 'panel';

type Props = {
  of: CaseDetail;
  updater: CaseUpdater;
  variant: CaseVariant;
};

/** Which case, how it stands, whose it is, and what can be done. */
export function CaseHeader({ of, updater, variant }: Props) {
  const state = (
    <>
      <CaseStatusBadge status={of.alert_status} />
      <span className={classes.onPaper}>
        <SeverityBadge severity={of.alert_severity} />
      </span>
    </>
  );
  const controls = (
    <div className={classes.controls}>
      <SeverityControl of={of} updater={updater} />
      <AssigneeControl of={of} updater={updater} />
    </div>
  );
  const actions = <CaseActions of={of} updater={updater} variant={variant} />;
  if (variant === 'page') {
    return (
      <>
        <PageHeader
          title={of.alert_name}
          section={`${of.reference} ${of.alert_name}`}
          eyebrow={
            <span className={classes.eyebrow}>
              <span className="air-figures">{of.reference}</span>
              <span aria-hidden>·</span>
              <span>{tx('opened {time}', { time: <RelativeTime time={of.time_opened} /> })}</span>
            </span>
          }
          state={state}
          purpose={of.alert_description === '' ? undefined : <Paragraphs text={of.alert_description} />}
          actions={actions}
        />
        {controls}
      </>
    );
  }
  return (
    <div className={classes.panelHeader}>
      <div className={classes.panelTitle}>
        <Title order={2} className={classes.panelName}>
          {of.alert_name}
        </Title>
        {state}
      </div>
      {of.alert_description === '' ? null : (
        <div className={classes.description}>
          <Paragraphs text={of.alert_description} />
        </div>
      )}
      {controls}
      {actions}
    </div>
  );
}

/** Descriptions of policies are plain text with blank lines between paragraphs. */
function Paragraphs({ text }: { text: string }) {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph, index, all) => paragraph !== '' && all.indexOf(paragraph) === index)
    .map((paragraph) => (
      <span key={paragraph} className={classes.paragraph}>
        {paragraph}
      </span>
    ));
}
