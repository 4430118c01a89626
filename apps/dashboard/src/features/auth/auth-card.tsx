import type { ReactNode } from 'react';
import { useProduct } from '../../lib/product.ts';
import { ProductMark } from '../../ui/product-mark.tsx';
import classes from './auth.module.css';

/** Frame of the screens before sign-in: one card, and beside it what may help. */
export function AuthCard({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  const { name } = useProduct();
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <ProductMark size={24} />
        {name}
      </div>
      <div className={classes.columns}>
        <div className={classes.card}>{children}</div>
        {aside}
      </div>
    </main>
  );
}
