import type { CaseSeverity, CaseStatus, RunStatus } from '@airdeck/contracts/statuses';
import classes from './status-badge.module.css';
import { caseStatusLooks, runStatusLooks, type StatusLook, severityLooks } from './status-table.ts';

type BadgeProps = {
  look: StatusLook;
  /** `plain` has no frame, for dense rows. */
  variant?: 'framed' | 'plain';
};

/** Colour, icon and word of one state. */
export function StatusBadge({ look, variant = 'framed' }: BadgeProps) {
  const Icon = look.icon;
  return (
    <span className={classes.badge} data-variant={variant} style={{ color: look.color }}>
      <Icon size={14} className={look.moving === true ? classes.moving : undefined} aria-hidden />
      {look.word}
    </span>
  );
}

type Variant = Pick<BadgeProps, 'variant'>;

export function SeverityBadge({ severity, ...rest }: Variant & { severity: CaseSeverity }) {
  return <StatusBadge look={severityLooks[severity]} {...rest} />;
}

export function CaseStatusBadge({ status, ...rest }: Variant & { status: CaseStatus }) {
  return <StatusBadge look={caseStatusLooks[status]} {...rest} />;
}

export function RunStatusBadge({ status, ...rest }: Variant & { status: RunStatus | 'skipped' }) {
  return <StatusBadge look={runStatusLooks[status]} {...rest} />;
}
