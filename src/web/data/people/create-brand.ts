import { type Device, devicePart } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { handleUnauthorized } from '#web/data/server/rpc.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { newId } from '#web/lib/new-id.ts'
import { loadMemberships } from './brands.ts'
import { slugOf } from './slug.ts'

/**
 * Creates a brand and makes its creator the owner. Works only online, so the outcome is never 'queued'. Code 23505, or a message with 'duplicate key
 * value', means that the name exists (spec section 8). The id of the outcome is the id of the brand.
 */
export async function createBrand(device: Device, name: string): Promise<Outcome> {
  // After an attempt without an answer, the same name is sent with the same id and key, so that the brand is not created twice.
  const previousAttempt = unansweredCreation(device).attempt
  const attempt = previousAttempt?.name === name ? previousAttempt : { name, id: newId(), key: newId() }
  unansweredCreation(device).attempt = null
  // The client generates the id and does not use `select()`, because the row is readable only after the membership exists.
  const brand = { id: attempt.id, name: name.trim(), slug: slugOf(name) }
  const { error, status } = await askServer(device, (server) =>
    server.from('brands').insert(brand).setHeader('Idempotency-Key', attempt.key),
  )
  // A proxy may answer with 502 or 504 although the server has created the brand.
  if (status === 0 || status >= 500) unansweredCreation(device).attempt = attempt
  if (status === 401) await handleUnauthorized(device, error?.code ?? null)
  if (error && error.code !== 'PT409') {
    return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
  }
  await loadMemberships(device)
  return { status: 'saved', id: attempt.id }
}

/** The last attempt to create a brand, if it is not known whether the server has created the brand. Otherwise null. */
const unansweredCreation = devicePart((): { attempt: { name: string; id: string; key: string } | null } => ({
  attempt: null,
}))
