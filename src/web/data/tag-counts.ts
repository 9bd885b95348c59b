import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { rpcWithRetries } from '#web/data/server/rpc-with-retries.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import { sessionState } from '#web/data/session/session.ts'
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
 * more than 30 tags stays as it is. Rejects with the server's error.
 */
export async function unmergeTag(device: Device, tagId: string): Promise<void> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_table: 'tags', p_ids: [tagId] }
  try {
    await rpcWithRetries<number>(device, userId, 'restore_moved', args, { signal: new AbortController().signal })
  } finally {
    void requestPull(device)
    void tagCounts(device).reload()
  }
}

/**
 * Replaces a tag with another one on all records and deletes the replaced tag, in requests of 500 records, and then pulls. A request without an
 * answer is sent again. `onProgress` gets the number of records changed so far. Rejects with the server's error. Then a part may be done: call this
 * function again to continue.
 */
export async function mergeTags(
  device: Device,
  tagId: string,
  intoId: string,
  onProgress: (records: number) => void,
): Promise<void> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_tag_id: tagId, p_into_id: intoId }
  const { signal } = new AbortController()
  try {
    for (let records = 0; ; ) {
      const answer = await rpcWithRetries<{ done: boolean; count: number }>(device, userId, 'merge_tags', args, {
        signal,
      })
      records += answer.count
      onProgress(records)
      if (answer.done) return
    }
  } finally {
    void requestPull(device)
    void tagCounts(device).reload()
  }
}
