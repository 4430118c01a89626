import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../../lib/document-title.ts';
import { AuthCard } from './auth-card.tsx';

/** Somebody is signed in, yet no account or tenant of ours belongs to them. */
export function AccountNotFoundPage() {
  useDocumentTitle('Account not found');
  return (
    <AuthCard>
      <Stack gap="md">
        <div>
          <Title order={1}>Account not found</Title>
          <Text size="sm" c="dimmed">
            You are signed in, but no tenant of this dashboard belongs to this account. Ask your administrator for an
            invitation, or use another account.
          </Text>
        </div>
        <Button component={Link} to="/logout" preload={false}>
          Use another account
        </Button>
      </Stack>
    </AuthCard>
  );
}
