/** Narrow screens, below 768 px (spec §9). */
export const NARROW = '(max-width: 767.98px)';
