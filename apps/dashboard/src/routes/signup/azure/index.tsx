import { createFileRoute } from '@tanstack/react-router';
import { PurchasePage } from '../../../features/signup/purchase-page.tsx';

export const Route = createFileRoute('/signup/azure/')({ component: PurchasePage });
