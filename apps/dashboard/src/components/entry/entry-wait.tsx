import { Loader, Text } from '@mantine/core';
import { useDocumentTitle } from '../../lib/document-title.ts';
import classes from './entry.module.css';

/** Stands while a screen before the dashboard finds out where to go. */
export function EntryWait({ section, text }: { section: string; text: string }) {
  useDocumentTitle(section);
  return (
    <main className={classes.page}>
      <div className={classes.center} role="status">
        <Loader size="sm" />
        <Text size="sm">{text}</Text>
      </div>
    </main>
  );
}
