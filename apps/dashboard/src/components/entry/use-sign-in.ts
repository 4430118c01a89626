import { useState } from 'react';
import { useApp } from '../../session/app-context.ts';
import { useSubmit } from './use-submit.ts';

export type Credentials = { email: string; password: string };

type Options = {
  email?: string;
  /** The first factor was judged already, by another provider. */
  secondFactor?: boolean;
  problem?: unknown;
  onSignedIn: () => Promise<void>;
  /** The password was right, but a new one must be chosen with a code that was mailed. */
  onNewPassword: (email: string) => Promise<void>;
};

/** State of a sign-in: password, then the code of the authenticator app or a recovery code. */
export function useSignIn({ email = '', secondFactor = false, problem, onSignedIn, onNewPassword }: Options) {
  const { identity } = useApp();
  const [credentials, setCredentials] = useState<Credentials>({ email, password: '' });
  const [step, setStep] = useState<'password' | 'code'>(secondFactor ? 'code' : 'password');
  const [code, setCode] = useState('');
  const { submit, ...submission } = useSubmit(problem);

  const signIn = (given: Credentials, knownCode?: string) =>
    submit(async () => {
      const next = await identity.signInWithPassword(given);
      if (next === 'signed_in') return onSignedIn();
      if (next === 'new_password') return onNewPassword(given.email);
      setStep('code');
      if (knownCode === undefined) return undefined;
      setCode(knownCode);
      await identity.verifyTotp(knownCode);
      return onSignedIn();
    });
  const verify = (given: string) =>
    submit(async () => {
      await identity.verifyTotp(given).catch((error: unknown) => {
        // The next one is typed into empty boxes.
        setCode('');
        throw error;
      });
      await onSignedIn();
    });
  const verifyRecoveryCode = (given: string) =>
    submit(async () => {
      await identity.verifyRecoveryCode(given);
      await onSignedIn();
    });
  const startOver = () => {
    submission.clear();
    setCode('');
    setCredentials({ email: credentials.email, password: '' });
    setStep('password');
  };
  return {
    ...submission,
    credentials,
    setCredentials,
    step,
    code,
    setCode,
    signIn,
    verify,
    verifyRecoveryCode,
    startOver,
  };
}

export type SignIn = ReturnType<typeof useSignIn>;
