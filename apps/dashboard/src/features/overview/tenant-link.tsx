import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import type { ConnectorState } from '@airdeck/contracts/connectors/schema';
import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import type { CaseSeverity, CaseStatus } from '@airdeck/contracts/statuses';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { refusalFor } from '../../session/access.ts';
import { sessionIn } from '../../session/tenant-session.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import classes from './overview.module.css';

type Figure = {
  of: TenantOverview;
  count: number;
  /** What opens, for readers: "3 critical cases of Meridian". */
  label: string;
  className: string | undefined;
  style?: CSSProperties | undefined;
  title?: string;
  children: ReactNode;
};

type Cases = { filters: { status: CaseStatus[]; severity: CaseSeverity[] } } | { figure: CaseFigure };

/** A figure that opens the cases it counts in its tenant, into which the address leads (spec §2). */
export function CasesBehind({ cases, ...figure }: Figure & { cases: Cases }) {
  const opens = useOpens(figure);
  if (!opens) return <Plain {...figure} />;
  return <Link to="/air/case-management" search={{ tenant: figure.of.id, ...cases }} {...linkOf(figure)} />;
}

/** The same of connectors in a state. */
export function ConnectorsBehind({ state, ...figure }: Figure & { state: ConnectorState }) {
  const opens = useOpens(figure);
  if (!opens) return <Plain {...figure} />;
  return <Link to="/integrations" search={{ tenant: figure.of.id, filters: { state: [state] } }} {...linkOf(figure)} />;
}

/** Whether there is something to open that the reader may see: both lists are for every member. */
function useOpens({ of, count }: Figure): boolean {
  const session = sessionIn(useCurrentUser(), of.id);
  return count > 0 && session !== undefined && refusalFor('signedIn', session) === undefined;
}

function linkOf({ label, className = '', style, title, children }: Figure) {
  return {
    className: `${classes.behind} ${className}`,
    style,
    title,
    'aria-label': label,
    // A screen that is loaded ahead would be loaded for the tenant one is still in.
    preload: false as const,
    children,
  };
}

function Plain({ className, style, title, children }: Figure) {
  return (
    <span className={className} style={style} title={title}>
      {children}
    </span>
  );
}
