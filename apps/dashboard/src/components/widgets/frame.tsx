import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconInfoCircle } from '@tabler/icons-react';
import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, type ReactElement, type ReactNode, useId } from 'react';
import { t } from '../../language/translate.ts';
import { noteFailure } from '../../lib/telemetry-queue.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { shortSpanName, spanName } from './span-text.ts';
import classes from './widget.module.css';
import { WidgetProblem } from './widget-problem.tsx';

type Props<Controls extends { span: DashboardSpan }> = {
  /** The dialog that its menu opens gives the focus back to `[data-period-of]` of it. */
  id: string;
  name: string;
  /** What the widget shows, for the tooltip. */
  definition: string;
  /** Loads the menu behind the period; a module-level function. */
  loadMenu: () => Promise<ComponentType<{ target: ReactElement } & Controls>>;
  controls: Controls;
  /** Moves the widget. */
  handle: ReactNode;
  /** Beside the period. */
  aside?: ReactNode;
  children: ReactNode;
};

/** Surface of a widget: handle, title with its explanation, period, and the content. */
export function Frame<Controls extends { span: DashboardSpan }>(props: Props<Controls>) {
  const { id, name, definition, controls } = props;
  const titleId = useId();
  const reader = useReader();
  const period = spanName(controls.span, reader);
  return (
    <section className={classes.root} aria-labelledby={titleId}>
      <div className={classes.head}>
        {props.handle}
        <h2 className={classes.title} id={titleId} title={name}>
          {name}
        </h2>
        <Tip label={definition} width={260}>
          <UnstyledButton className={classes.info} data-hint aria-label={t('What {name} means', { name })}>
            <IconInfoCircle size={14} aria-hidden />
          </UnstyledButton>
        </Tip>
        <div className={classes.aside}>
          {props.aside}
          <OnDemand
            load={props.loadMenu}
            button={
              <UnstyledButton
                className={classes.period}
                aria-haspopup="menu"
                data-period-of={id}
                aria-label={t('{period}: period, place and size of {name}', { period, name })}
              >
                {shortSpanName(controls.span, reader)}
                <IconChevronDown size={14} aria-hidden />
              </UnstyledButton>
            }
            extra={controls}
          />
        </div>
      </div>
      {/* What one widget cannot draw is no reason to take the others away. */}
      <CatchBoundary
        getResetKey={() => period}
        onCatch={noteFailure}
        errorComponent={({ error, reset }) => (
          <WidgetProblem error={error} onRetry={reset} retrying={false} name={name} />
        )}
      >
        {props.children}
      </CatchBoundary>
    </section>
  );
}
