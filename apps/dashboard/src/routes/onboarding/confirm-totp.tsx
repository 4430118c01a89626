import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { ConfirmTotpPage } from '../../features/onboarding/confirm-totp-page.tsx';

export const Route = createFileRoute('/onboarding/confirm-totp')({ component: Screen });

const route = getRouteApi('/onboarding');

function Screen() {
  return <ConfirmTotpPage redirect={route.useSearch().redirect} />;
}
