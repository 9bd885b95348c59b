/**
 * The outcome of an edit, known after 3 s at most (docs/offline.md).
 * saved: the server has applied it. queued: stored on this device and sent later ('Saved on this device').
 * refused: the server refused it, and its preview is removed already. `message` is the server's, `code` its code (23505, P0001…) or null.
 */
export type Outcome =
  | { status: 'saved'; id: string }
  | { status: 'queued'; id: string }
  | { status: 'refused'; message: string; code: string | null }

/** One outcome of several edits: refused where one of them was, else queued where one of them is. */
export async function combined(outcomes: readonly Promise<Outcome>[]): Promise<Outcome> {
  const all = await Promise.all(outcomes)
  const worst = all.find(({ status }) => status === 'refused') ?? all.find(({ status }) => status === 'queued')
  return worst ?? all[0] ?? { status: 'saved', id: '' }
}

/** The server's message, which a field shows when its edit was refused; else null. */
export async function failureOf(pending: Promise<Outcome>): Promise<string | null> {
  const outcome = await pending
  return outcome.status === 'refused' ? outcome.message : null
}
