import { z } from 'zod'
import { refusal } from '#server/http/errors.ts'
import type { AuthHandler } from './context.ts'
import { readInput } from './read-input.ts'

const inputSchema = z.object({ email: z.string().nullish(), phone: z.string().nullish() })

/** POST /otp: responds with an error, because sign-in without a password, by mail or text message, is not offered. */
export const refuseOtp: AuthHandler = async (_, request) => {
  const { phone } = readInput(request, inputSchema)
  throw refusal(phone ? 'phone_provider_disabled' : 'otp_disabled')
}
