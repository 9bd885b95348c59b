import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { rpcWithRetries } from '#web/data/server/rpc-with-retries.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { sessionState } from '#web/data/session/session.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'

/** The number of records that have a tag, by table. */
export interface TagCount {
  id: string
  contacts: number
  companies: number
  deals: number
}

/** The number of records of each tag of the active brand (RPC tag_counts). Tags without records are left out. */
export const tagCounts = onlineValue<TagCount[]>((device, userId) => {
  return rpc(device, userId, 'tag_counts', { p_brand_id: activeBrandState(device).get().brandId })
}, activeBrandState)

/** A merge of more records than this cannot be undone (`restore_moved`). */
export const maxUndoableMerge = 2000

/**
 * Undoes `mergeTags`: restores the tag on the records from which nobody has removed the other tag meanwhile. A record that would then have
 * more than 30 tags stays as it is. A request without an answer is sent again. Rejects with the server's error.
 */
export async function unmergeTag(device: Device, tagId: string): Promise<void> {
  const args = { p_table: 'tags', p_ids: [tagId] }
  await sendUntilDone(device, 'restore_moved', args, new AbortController().signal, {
    onAnswer: () => true,
    isDone: () => hasTag(device, tagId),
  })
}

/**
 * Replaces a tag with another one on all records and deletes the replaced tag, in requests of 500 records, and then pulls. A request without an
 * answer is sent again. `onProgress` gets the number of records changed so far. `signal` stops the merge between two requests: resolves to false if
 * it was stopped, else to true. Rejects with the server's error. Then, and after a stop, a part may be done: call this function again to continue.
 */
export function mergeTags(
  device: Device,
  tagId: string,
  intoId: string,
  onProgress: (records: number) => void,
  signal = new AbortController().signal,
): Promise<boolean> {
  let records = 0
  return sendUntilDone<{ done: boolean; count: number }>(
    device,
    'merge_tags',
    { p_tag_id: tagId, p_into_id: intoId },
    signal,
    {
      onAnswer: ({ done, count }) => {
        records += count
        onProgress(records)
        return done
      },
      isDone: () => !hasTag(device, tagId) && hasTag(device, intoId),
    },
  )
}

interface AnswerChecks<Answer> {
  /** Handles an answer. Returns whether it was the last one. */
  onAnswer: (answer: Answer) => boolean
  /** Returns whether everything is done, as far as this device knows. */
  isDone: () => boolean
}

/**
 * Sends a request until its last answer, and then pulls. If an attempt has done everything and only its answer was lost, the server refuses the
 * repeated request. Therefore, if a repeated request is refused, pulls and calls `isDone`: if everything is done, the refusal is ignored. Resolves
 * to true when everything is done, and to false if `signal` was aborted before. Rejects with the server's error.
 */
async function sendUntilDone<Answer>(
  device: Device,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
  { onAnswer, isDone }: AnswerChecks<Answer>,
): Promise<boolean> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const brandArgs = { p_brand_id: activeBrandState(device).get().brandId, ...args }
  let wasSentAgain = false
  const onWaiting = () => {
    wasSentAgain = true
  }
  try {
    while (!signal.aborted)
      if (onAnswer(await rpcWithRetries<Answer>(device, userId, name, brandArgs, { signal, onWaiting }))) return true
    return false
  } catch (error) {
    const wasStopped = error instanceof RpcError && error.isTemporary && signal.aborted
    if (wasSentAgain) await requestPull(device)
    if (wasSentAgain && isDone()) return true
    if (wasStopped) return false
    throw error
  } finally {
    void requestPull(device)
    void tagCounts(device).reload()
  }
}

function hasTag(device: Device, id: string): boolean {
  return openBrand(device).get()?.tables.tags.get(id) !== undefined
}
