import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { SignedInUser } from './authenticate.ts'
import type { AuthContext } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

/** Returns the hash of a new password. Throws same_password if the new password equals the user's current one. */
export async function hashNewPassword(
  { hashQueue, hashCost }: AuthContext,
  request: HttpRequest,
  { user }: SignedInUser,
  password: string,
): Promise<string> {
  return hashQueue.run({ account: user.email ?? user.id, network: networkOf(request.ip) }, async () => {
    if (await verifyPassword(user.encrypted_password, password)) throw refusal('same_password')
    return hashPassword(password, hashCost)
  })
}
