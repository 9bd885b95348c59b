/**
 * Replaces the passkey code of the official client in the browser's bundle (by vite.config.ts), and loads it when a passkey is added or used.
 * Saves 3 kB on every first visit. Every use of a passkey begins with `enroll` or `authenticate`, so the code is loaded before the client needs it.
 */
import { AuthRetryableFetchError } from '@supabase/auth-js/dist/module/lib/errors'
import type * as Real from '@supabase/auth-js/dist/module/lib/webauthn'
import { unused } from './unused-client-parts.ts'

type Passkeys = typeof Real

/** Returns the reply that the client gives without a network. */
const unansweredReply = () => ({ data: null, error: new AuthRetryableFetchError('The passkey code did not load.', 0) })

type Client = ConstructorParameters<Passkeys['WebAuthnApi']>[0]
type Api = InstanceType<Passkeys['WebAuthnApi']>

/** The client's class for passkeys, with only the two calls that this app uses. */
export class WebAuthnApi implements Pick<Api, 'enroll' | 'authenticate'> {
  /** Undefined before the code is needed. */
  static code: Passkeys | undefined

  constructor(private readonly client: Client) {}

  async enroll(...args: Parameters<Api['enroll']>): ReturnType<Api['enroll']> {
    const code = await loadCode()
    return code ? new code.WebAuthnApi(this.client).enroll(...args) : unansweredReply()
  }

  async authenticate(...args: Parameters<Api['authenticate']>): ReturnType<Api['authenticate']> {
    const code = await loadCode()
    return code ? new code.WebAuthnApi(this.client).authenticate(...args) : unansweredReply()
  }
}

/** Loads the code. Returns undefined if it cannot be loaded. */
async function loadCode(): Promise<Passkeys | undefined> {
  WebAuthnApi.code ??= await import('@supabase/auth-js/dist/module/lib/webauthn').catch(() => undefined)
  return WebAuthnApi.code
}

function passkeys(): Passkeys {
  if (!WebAuthnApi.code) throw new Error('Call `auth.mfa.webauthn` first.')
  return WebAuthnApi.code
}

export const deserializeCredentialCreationOptions: Passkeys['deserializeCredentialCreationOptions'] = (options) =>
  passkeys().deserializeCredentialCreationOptions(options)
export const deserializeCredentialRequestOptions: Passkeys['deserializeCredentialRequestOptions'] = (options) =>
  passkeys().deserializeCredentialRequestOptions(options)
export const serializeCredentialCreationResponse: Passkeys['serializeCredentialCreationResponse'] = (credential) =>
  passkeys().serializeCredentialCreationResponse(credential)
export const serializeCredentialRequestResponse: Passkeys['serializeCredentialRequestResponse'] = (credential) =>
  passkeys().serializeCredentialRequestResponse(credential)

// Used only for a sign-in with nothing but a passkey, which this app does not offer.
export const browserSupportsWebAuthn = unused
export const createCredential = unused
export const getCredential = unused
export const webAuthnAbortService = {}
