import { json } from '#server/http/exchange.ts'
import { authenticate } from './authenticate.ts'
import type { AuthHandler } from './context.ts'
import { createCode } from './one-time-tokens.ts'
import { inTransaction } from './transaction.ts'

/** GET /reauthenticate: mails a code to the signed-in user. PUT /user accepts this code (`nonce`) as a proof. */
export const reauthenticate: AuthHandler = async (context, request) => {
  const { db, keys, mail, mailLimits } = context
  const { user } = await authenticate(context, request)
  const email = user.email ?? ''
  await mailLimits.countMail(db, email, request.ip)
  await inTransaction(db, async (client) => {
    const code = await createCode(client, keys.refreshSecret, user.id, email)
    await client.query('update auth.users set reauthentication_sent_at = now() where id = $1', [user.id])
    await mail.queue(client, { template: 'reauthenticate', recipient: email, data: { code } })
  })
  return json(200, {})
}
