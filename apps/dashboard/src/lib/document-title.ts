import { useEffect } from 'react';
import { useProduct } from './product.ts';

/** Sets the title of the document to "Section | product" (spec §1) for as long as the screen is shown. */
export function useDocumentTitle(section: string): void {
  const { name } = useProduct();
  useEffect(() => {
    document.title = section === '' ? name : `${section} | ${name}`;
  }, [section, name]);
}
