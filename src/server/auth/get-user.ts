import { json } from '#server/http/exchange.ts'
import { authenticate } from './authenticate.ts'
import type { AuthVerb } from './context.ts'
import { userJson } from './users.ts'

/** GET /user: returns the signed-in user. The user itself is the body, as in GoTrue. */
export const getUser: AuthVerb = async (context, request) => {
  const { user } = await authenticate(context, request)
  return json(200, userJson(user))
}
