/**
 * The outcome of an edit, known after at most 3 s (docs/offline.md).
 * saved: the server has applied it. queued: stored on this device and sent later ('Saved on this device').
 * refused: the server refused it, or this device could not store or send it. Its preview is already removed. `message` is the server's or the
 * app's. `code` is the code of the server's refusal (23505, P0001…). Null if the server did not refuse the edit, or gave no code.
 */
export type Outcome =
  | { status: 'saved'; id: string }
  | { status: 'queued'; id: string }
  | { status: 'refused'; message: string; code: string | null }

/** Combines the outcomes of several edits: refused if one was refused, else queued if one is queued, else saved. No edits: saved, with the id ''. */
export async function combinedOutcome(outcomes: readonly Promise<Outcome>[]): Promise<Outcome> {
  const allOutcomes = await Promise.all(outcomes)
  const worst =
    allOutcomes.find(({ status }) => status === 'refused') ?? allOutcomes.find(({ status }) => status === 'queued')
  return worst ?? allOutcomes[0] ?? { status: 'saved', id: '' }
}

/** Returns the message if the edit was refused, for the field to show. Else null. */
export async function failureOf(pending: Promise<Outcome>): Promise<string | null> {
  const outcome = await pending
  return outcome.status === 'refused' ? outcome.message : null
}
