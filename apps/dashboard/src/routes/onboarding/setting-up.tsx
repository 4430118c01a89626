import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { SettingUpPage } from '../../features/onboarding/setting-up-page.tsx';

export const Route = createFileRoute('/onboarding/setting-up')({ component: Screen });

const route = getRouteApi('/onboarding');

function Screen() {
  return <SettingUpPage redirect={route.useSearch().redirect} />;
}
