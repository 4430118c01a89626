import { createFileRoute } from '@tanstack/react-router';
import { steps } from '../../../features/set-up-wizard/set-up-steps.ts';
import { WizardPage } from '../../../features/set-up-wizard/wizard-page.tsx';
import { checkedSearch, choiceParam } from '../../../lib/search-params.ts';
import { onboardingQueries } from '../../../queries/onboarding.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/set-up/$id')({
  validateSearch: (search) => checkedSearch({ step: choiceParam(search, 'step', steps) }),
  beforeLoad: requireAccess('onboarding'),
  loader: ({ context }) => context.queryClient.ensureQueryData(onboardingQueries.list(tenantApiOf(context))),
  component: WizardPage,
});
