import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { SetupTotpPage } from '../../features/onboarding/setup-totp-page.tsx';

export const Route = createFileRoute('/onboarding/setup-totp')({ component: Screen });

const route = getRouteApi('/onboarding');

function Screen() {
  return <SetupTotpPage redirect={route.useSearch().redirect} />;
}
