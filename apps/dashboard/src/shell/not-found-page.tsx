import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  return (
    <MessagePage
      title={t("We couldn't find the page you were looking for")}
      section={t('Not found')}
      actions={
        <Button component={Link} to="/home">
          {t('Go home')}
        </Button>
      }
    >
      <p>{t('The address may be mistyped, or what it named is gone.')}</p>
    </MessagePage>
  );
}
