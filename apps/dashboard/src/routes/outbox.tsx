import { createFileRoute, notFound } from '@tanstack/react-router';
import { OutboxPage } from '../features/auth/outbox-page.tsx';

export const Route = createFileRoute('/outbox')({
  loader: ({ context }) => {
    // Elsewhere mails are sent, and nobody may read them.
    if (context.config.target_stage !== 'local') throw notFound();
  },
  component: OutboxPage,
});
