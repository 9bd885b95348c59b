import { z } from 'zod'
import { json } from '#server/http/exchange.ts'
import type { AuthHandler } from './context.ts'
import { readInvitationLink } from './product-sql.ts'
import { readInput } from './read-input.ts'

const inputSchema = z.object({ token: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * POST /invitation: takes the token of an invitation's link. Returns what the invitation offers (the group that the person
 * would join, the role, the inviter, the e-mail address), or the reason why the link no longer works. The product's SQL writes
 * this response. The request needs no session, because a person without an account can open the link. A request with an unknown
 * token counts as an attempt of the client's network. GoTrue's protocol has no such request.
 */
export const invitation: AuthHandler = async ({ db, limits }, request) => {
  const { token } = readInput(request, inputSchema)
  const link = await readInvitationLink(db, token)
  if (link === null || link.state === 'unknown') await limits.countAttempt(db, request.ip)
  return json(200, link ?? { state: 'unknown' })
}
