import { z } from 'zod'
import { json } from '#server/http/exchange.ts'
import type { AuthVerb } from './context.ts'
import { readInvitationLink } from './product-sql.ts'
import { readInput } from './read-input.ts'

const input = z.object({ token: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * POST /invitation: returns what an invitation link offers, or why the link no longer works, as the product's SQL returns
 * it. It needs no session, because a person without an account can open the link. An unknown token counts as an attempt.
 * This request is not part of GoTrue's protocol.
 */
export const invitation: AuthVerb = async ({ db, limits }, request) => {
  const { token } = readInput(request, input)
  const link = await readInvitationLink(db, token)
  if (link === null || link.state === 'unknown') await limits.countAttempt(db, request.ip)
  return json(200, link ?? { state: 'unknown' })
}
