/**
 * Whether keys pressed alone act (WCAG 2.1.4): who steers by voice, or slips, switches them off in the profile. The attribute
 * on the root element comes from what the browser keeps, with the first paint.
 */
export function singleKeysOn(): boolean {
  return document.documentElement.dataset.singleKeys !== 'off';
}
