import { createFileRoute } from '@tanstack/react-router';
import { SetUpPage } from '../../../features/set-up-wizard/set-up-page.tsx';
import { onboardingQueries } from '../../../queries/onboarding.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/set-up/')({
  beforeLoad: requireAccess('onboarding'),
  loader: ({ context }) => context.queryClient.ensureQueryData(onboardingQueries.list(tenantApiOf(context))),
  component: SetUpPage,
});
