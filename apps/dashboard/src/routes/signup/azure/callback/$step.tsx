import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { CallbackStepPage } from '../../../../features/signup/callback-step-page.tsx';
import { enterCallbackStep } from '../../../../features/signup/enter-callback-step.ts';

export const Route = createFileRoute('/signup/azure/callback/$step')({
  loader: ({ params }) => enterCallbackStep(params.step),
  component: Screen,
});

const route = getRouteApi('/signup/azure/callback/$step');

function Screen() {
  return <CallbackStepPage step={route.useLoaderData()} />;
}
