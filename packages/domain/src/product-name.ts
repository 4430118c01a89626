/** A product with who makes it, each name once: "Fortinet FortiGate", but "Okta" and "Microsoft Graph". */
export function productName({ vendor, product }: { vendor: string; product: string }): string {
  const [maker, made] = [vendor.trim(), product.trim()];
  if (made === '') return maker;
  return maker === '' || `${made} `.toLowerCase().startsWith(`${maker} `.toLowerCase()) ? made : `${maker} ${made}`;
}
