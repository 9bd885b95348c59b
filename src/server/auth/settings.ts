import { json } from '#server/http/exchange.ts'
import type { AuthHandler } from './context.ts'

/** GET /settings: returns which ways to sign in and sign up exist, in GoTrue's format. */
export const settings: AuthHandler = async ({ config }) =>
  json(200, {
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: config.signUp === 'closed',
    mailer_autoconfirm: !config.emailConfirmation,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  })

/** GET /health: returns the name, the version and a description of the service. */
export const health: AuthHandler = async () =>
  json(200, { version: '1', name: 'GoTrue', description: 'The accounts of this Banyan CRM, in the protocol of GoTrue' })

/** GET /.well-known/jwks.json: returns the public keys that verify access tokens. */
export const keySet: AuthHandler = async ({ keys }) =>
  json(200, { keys: keys.publicJwks }, { 'Cache-Control': 'public, max-age=600' })
