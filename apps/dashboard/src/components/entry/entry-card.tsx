import { Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import { useDocumentTitle } from '../../lib/document-title.ts';
import { useProduct } from '../../lib/product.ts';
import { useApp } from '../../session/app-context.ts';
import { ProductMark } from '../../ui/product-mark.tsx';
import classes from './entry.module.css';

type Props = {
  /** The h1. */
  title: string;
  /** "Section" of the document title; the title when left out. */
  section?: string;
  text?: ReactNode;
  /** Beside the card: what may help. */
  aside?: ReactNode;
  /** Below the card: ways elsewhere. */
  foot?: ReactNode;
  wide?: boolean;
  /** Whether a mail is waited for here: the local outbox is offered then, where there is one. */
  mails?: boolean;
  children?: ReactNode;
};

/** Frame of the screens outside the dashboard: one card, and beside it what may help. */
export function EntryCard({ title, section, text, aside, foot, wide = false, mails = false, children }: Props) {
  const { name } = useProduct();
  const { config } = useApp();
  useDocumentTitle(section ?? title);
  const outbox = mails && config.target_stage === 'local';
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <ProductMark size={24} />
        {name}
      </div>
      <div className={classes.columns}>
        <div className={wide ? `${classes.card} ${classes.wide}` : classes.card}>
          <Stack gap="md">
            <div className={classes.head}>
              <Title order={1}>{title}</Title>
              {text === undefined ? null : (
                <Text size="sm" c="dimmed" component="p">
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </div>
        {aside == null ? null : <div className={classes.aside}>{aside}</div>}
      </div>
      {foot === undefined && !outbox ? null : (
        <div className={classes.foot}>
          {foot}
          {outbox ? (
            <Link to="/outbox" preload={false}>
              {t('Mails of this installation')}
            </Link>
          ) : null}
        </div>
      )}
    </main>
  );
}
