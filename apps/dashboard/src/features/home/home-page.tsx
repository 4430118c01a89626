import { Title } from '@mantine/core';
import { useProduct } from '../../lib/product.ts';
import { useTenantName } from '../../session/use-current-user.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from './home-page.module.css';

/** Home: what needs doing, and how the platform is doing. */
export function HomePage() {
  const { shortName } = useProduct();
  return (
    <>
      <Title order={2} className={classes.tenant}>
        {useTenantName()}
      </Title>
      <PageHeader
        title={`Welcome to your ${shortName}`}
        section="Home"
        purpose="Your unified platform to manage and secure your entire organization effortlessly"
      />
    </>
  );
}
