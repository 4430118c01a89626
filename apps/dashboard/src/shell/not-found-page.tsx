import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  return (
    <MessagePage
      title="We couldn't find the page you were looking for"
      section="Not found"
      actions={
        <Button component={Link} to="/home">
          Go home
        </Button>
      }
    >
      <p>The address may be mistyped, or what it named is gone.</p>
    </MessagePage>
  );
}
