import { json } from '#server/http/exchange.ts'
import { authenticate } from './authenticate.ts'
import type { AuthHandler } from './context.ts'
import { userJson } from './users.ts'

/** GET /user: returns the signed-in user. As in GoTrue, the user is the whole body. */
export const getUser: AuthHandler = async (context, request) => {
  const { user } = await authenticate(context, request)
  return json(200, userJson(user))
}
