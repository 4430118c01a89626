import { createContext, useContext } from 'react';

export type Product = { readonly name: string; readonly shortName: string };

const ProductContext = createContext<Product>({ name: 'AIRdeck', shortName: 'AIR' });

export const ProductProvider = ProductContext.Provider;

/** Names of the product as configured. */
export function useProduct(): Product {
  return useContext(ProductContext);
}

/** Spec §2: any text that contains the product's short name carries the registered mark. */
export function withRegisteredMark(text: string, shortName: string): string {
  const escaped = shortName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(${escaped})(?![\\p{L}\\p{N}®])`, 'giu'),
    (match) => `${match.toUpperCase() === shortName.toUpperCase() ? shortName : match}®`,
  );
}
