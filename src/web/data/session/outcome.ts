/**
 * What became of a mutation, told after 3 s at most (design 2.7, "Dialogs").
 * saved: the server has it. queued: kept on this device, sent when the server answers ('Saved on this device').
 * refused: the server said no; its preview is already taken back. `message` is the server's, `code` its code (23505, P0001…) or null.
 */
export type Outcome =
  | { status: 'saved'; id: string }
  | { status: 'queued'; id: string }
  | { status: 'refused'; message: string; code: string | null }

/** One outcome of several mutations: refused where one of them was, else queued where one of them is. */
export async function combined(outcomes: readonly Promise<Outcome>[]): Promise<Outcome> {
  const told = await Promise.all(outcomes)
  const worst = told.find(({ status }) => status === 'refused') ?? told.find(({ status }) => status === 'queued')
  return worst ?? told[0] ?? { status: 'saved', id: '' }
}

/** What a field says under itself when its change was refused: the server's message; else null. */
export async function failureOf(outcome: Promise<Outcome>): Promise<string | null> {
  const told = await outcome
  return told.status === 'refused' ? told.message : null
}
