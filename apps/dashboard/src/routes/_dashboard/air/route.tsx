import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AirTabs } from '../../../features/air/air-tabs.tsx';

export const Route = createFileRoute('/_dashboard/air')({ component: IncidentResponse });

function IncidentResponse() {
  return (
    <>
      <AirTabs />
      <Outlet />
    </>
  );
}
