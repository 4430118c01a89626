import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, type MantineTheme } from '@mantine/core';

/** The one accent: primary action, focus ring, selection, links. */
const accent: MantineColorsTuple = [
  '#e6fafb',
  '#c9f1f4',
  '#9be3ea',
  '#66d1dc',
  '#38bccb',
  '#1aa5b6',
  '#0e8c9c',
  '#0b7382',
  '#0b5c69',
  '#0a4854',
];

/** Slate with a slight blue cast, light to dark. */
const slate: MantineColorsTuple = [
  '#f6f8fa',
  '#eef1f4',
  '#dde3ea',
  '#c5cdd7',
  '#a3adba',
  '#7d8896',
  '#5d6875',
  '#45505d',
  '#2c3540',
  '#18202a',
];

/** What Mantine's own dark surfaces are made of: text first, page last. */
const dark: MantineColorsTuple = [
  '#e3e8ee',
  '#a3adba',
  '#8793a1',
  '#5f6b7a',
  '#2b3542',
  '#212a35',
  '#171e27',
  '#131922',
  '#0d1117',
  '#090c11',
];

const fieldVariables = (_theme: MantineTheme, { error }: { error?: unknown }) => ({
  wrapper: {
    '--input-height': '2rem',
    '--input-bd': error ? 'var(--mantine-color-error)' : 'var(--air-control-border)',
    // With an error Mantine makes it red, so that an example looks like what was typed.
    '--input-placeholder-color': 'var(--mantine-color-placeholder)',
    '--input-bg': 'var(--air-panel)',
  },
});

// Mantine sets them two steps below the label, which is smaller than what people read.
const captionVariables = {
  description: { '--input-description-size': '0.75rem' },
  error: { '--input-error-size': '0.75rem' },
};

// Their title bar is a `header` element, which readers would announce as a second page banner.
const dialogAttributes = { header: { role: 'none' } };

export const theme = createTheme({
  primaryColor: 'accent',
  // White on this shade reads at 5.5:1 in both themes.
  primaryShade: 7,
  colors: { accent, gray: slate, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1rem', sm: '1.125rem', md: '1.25rem', lg: '1.5rem', xl: '1.75rem' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      vars: () => ({ root: { '--button-height': '2rem', '--button-padding-x': '12px', '--button-fz': '0.8125rem' } }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Input: { vars: fieldVariables },
    InputWrapper: { vars: () => captionVariables },
    InputDescription: { vars: () => captionVariables },
    InputError: { vars: () => captionVariables },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        transitionProps: { duration: 120 },
        events: { hover: true, focus: true, touch: true },
      },
    },
    // Its focus placeholder is a child that menus may not have; without it the first item takes the focus.
    Menu: {
      defaultProps: { transitionProps: { duration: 120 }, shadow: 'md', withInitialFocusPlaceholder: false },
    },
    Popover: { defaultProps: { transitionProps: { duration: 120 }, shadow: 'md' } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 }, attributes: dialogAttributes } },
    Modal: { defaultProps: { transitionProps: { duration: 160 }, attributes: dialogAttributes } },
    // With the radius of controls a small box would look like a radio.
    Checkbox: { defaultProps: { radius: 'xs' } },
    Skeleton: { defaultProps: { radius: 'xs' } },
    // Off it would be a dark pill on a dark panel: its edge is what shows where it is.
    Switch: {
      defaultProps: { withThumbIndicator: false },
      styles: { track: { border: '1px solid var(--air-control-border)' } },
    },
  },
});

/** Mantine's semantic variables point at the tokens of tokens.css, so that both themes are designed in one place. */
export const cssVariables: CSSVariablesResolver = (_theme: MantineTheme) => {
  const shared = {
    '--mantine-color-body': 'var(--air-page)',
    '--mantine-color-text': 'var(--air-text)',
    '--mantine-color-dimmed': 'var(--air-text-2)',
    '--mantine-color-placeholder': 'var(--air-text-3)',
    '--mantine-color-anchor': 'var(--air-link)',
    '--mantine-color-error': 'var(--air-critical)',
    '--mantine-color-default': 'var(--air-panel)',
    // Seen as a button on every surface, also on that of a dialog.
    '--mantine-color-disabled': 'color-mix(in srgb, var(--air-text) 12%, transparent)',
    '--mantine-color-disabled-color': 'var(--air-text-3)',
    '--mantine-color-default-hover': 'var(--air-hover)',
    '--mantine-color-default-color': 'var(--air-text)',
    '--mantine-color-default-border': 'var(--air-control-border)',
    '--mantine-color-gray-light-color': 'var(--air-text)',
    '--mantine-color-gray-text': 'var(--air-text-2)',
    '--mantine-color-accent-text': 'var(--air-link)',
    '--mantine-color-accent-light-color': 'var(--air-link)',
    '--mantine-color-accent-light': 'var(--air-selected)',
    '--mantine-primary-color-light': 'var(--air-selected)',
    '--mantine-primary-color-light-color': 'var(--air-link)',
  };
  return { variables: {}, light: shared, dark: shared };
};
