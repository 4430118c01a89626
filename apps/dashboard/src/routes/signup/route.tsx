import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/signup')({
  // Loaded when entered: the sign-in page must not grow with it.
  beforeLoad: async ({ context, location, preload }) => {
    const { enterSignup } = await import('../../features/signup/enter-signup.ts');
    if (!preload) await enterSignup(context, location);
  },
});
