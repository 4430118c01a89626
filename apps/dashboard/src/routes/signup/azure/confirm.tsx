import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { ConfirmPurchasePage } from '../../../features/signup/confirm-purchase-page.tsx';
import { enterConfirmPurchase } from '../../../features/signup/enter-confirm-purchase.ts';

export const Route = createFileRoute('/signup/azure/confirm')({
  gcTime: 0,
  loader: ({ context }) => enterConfirmPurchase(context),
  component: Screen,
});

const route = getRouteApi('/signup/azure/confirm');

function Screen() {
  return <ConfirmPurchasePage who={route.useLoaderData()} />;
}
