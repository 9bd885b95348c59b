import { dependentsOf } from '#web/data/changes/send-order.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { nextTaskId } from '#web/lib/series.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import type { SimDevice } from './sim-device.ts'
import type { LoggedChange, SimTable } from './sim-world.ts'

/** The text field of each table to which marks are written. */
export const markedField = { deals: 'name', contacts: 'title', companies: 'notes', tasks: 'title' } as const

const markedFields = [...new Set([...Object.values(markedField), 'body'])]

interface Mark {
  /** acknowledged: the screen shows the edit as saved, on the server or on this device. */
  state: 'open' | 'acknowledged' | 'given up'
  /** Id of the person who wrote the mark. */
  by: string
  /** The value that the person saw before, and overwrote. */
  over: unknown
  /** True if the person resolved a conflict in favour of this mark: it may overwrite a colleague's text. */
  isChosen: boolean
}

/**
 * Unique texts, each written by one edit of a life. They show whether the server applied the edit exactly once, and whether the text was overwritten
 * unseen: by a person who had not seen it.
 */
export class Marks {
  /** The records that were deleted in this life. They may be restored. */
  readonly deleted: { table: SimTable; ids: readonly string[] }[] = []
  /** Ids of deleted stages and tags whose records were moved. The deletion may be undone. */
  readonly moved: { deal_stages: string[]; tags: string[] } = { deal_stages: [], tags: [] }
  /** Ids of the imports that were started in this life. They may be undone. */
  readonly imports: string[] = []
  /** The record that somebody edited last. */
  lastEdited: { table: SimTable; id: string } | null = null
  private readonly marks = new Map<string, Mark>()

  /** Creates a mark for an edit by a person. `over`: the value that the field has on this person's screen. */
  next(sim: SimDevice, over: unknown): string {
    const text = `mark${this.marks.size + 1}`
    this.marks.set(text, { state: 'open', by: sim.person.id, over, isChosen: false })
    return text
  }

  /** Records the outcome of the edit with this mark. */
  follow(text: string, outcome: Promise<Outcome>): void {
    const mark = this.marks.get(text)
    if (!mark) return
    outcome.then(
      ({ status }) => {
        if (status === 'refused') mark.state = 'given up'
        else if (mark.state === 'open') mark.state = 'acknowledged'
      },
      () => {},
    )
  }

  /**
   * Records that the person resolved the conflict of this operation in favour of their own text. Their waiting edits of the same field count as
   * chosen, too: if the chosen text is discarded, the text of the next edit takes its place.
   */
  choose(sim: SimDevice, operation: Operation): void {
    const fields = Object.keys(operation.values)
    const laterOperations = queue(sim.device)
      .get()
      .operations.filter(({ seq, kind, rowId, values }) => {
        if (seq <= operation.seq || kind !== 'update' || rowId !== operation.rowId) return false
        return fields.some((field) => field in values)
      })
    for (const mark of [operation, ...laterOperations].flatMap((one) => this.of(one))) mark.isChosen = true
  }

  /** Records that the person gave up an operation, and with it the operations that depend on it. */
  giveUp(sim: SimDevice, operation: Operation): void {
    for (const lost of [operation, ...dependentsOf(queue(sim.device).get().operations, operation)])
      for (const mark of this.of(lost)) mark.state = 'given up'
  }

  /** Gives up all edits of a person, because the person was removed from the brand: unsent edits are dropped. */
  giveUpAllOf(personId: string): void {
    for (const mark of this.marks.values()) if (mark.by === personId) mark.state = 'given up'
  }

  /**
   * Returns a sentence for each acknowledged edit that did not arrive at the server, each edit that arrived twice, and each colleague's edit that
   * was overwritten unseen.
   */
  errors(changes: readonly LoggedChange[]): string[] {
    const arrivals = new Map<string, number>()
    const errors: string[] = []
    const deletedIds = new Set<string>()
    const inSeries = new Set(changes.map(({ id }) => nextTaskId(id)))
    for (const { operation, id, before, after } of changes) {
      if (operation === 'DELETE') deletedIds.add(id)
      // A restored row has its old texts, and the next task of a series has the texts of the previous task: neither is a second arrival.
      if (operation === 'DELETE' || (operation === 'INSERT' && (deletedIds.has(id) || inSeries.has(id)))) continue
      for (const text of new Set(
        markedFields.map((field) => (before?.[field] === after?.[field] ? null : after?.[field])),
      ))
        if (typeof text === 'string') arrivals.set(text, (arrivals.get(text) ?? 0) + 1)
      if (operation === 'UPDATE')
        for (const field of markedFields) errors.push(...this.overwritten(before?.[field], after?.[field]))
    }
    for (const [text, { state }] of this.marks) {
      const arrivalCount = arrivals.get(text) ?? 0
      if (arrivalCount > 1) errors.push(`${text} arrived ${arrivalCount} times`)
      if (state === 'acknowledged' && arrivalCount === 0) errors.push(`${text} was acknowledged and never arrived`)
    }
    return errors
  }

  private overwritten(before: unknown, after: unknown): string[] {
    const [overwrittenMark, newMark] = [this.marks.get(String(before)), this.marks.get(String(after))]
    if (before === after || !overwrittenMark || !newMark || newMark.isChosen) return []
    const isSeen = overwrittenMark.by === newMark.by || this.seenBelow(newMark) === before
    return isSeen ? [] : [`${String(after)} overwrote ${String(before)} unseen`]
  }

  /** Returns the value that the mark has overwritten. If that value is an own text that the person gave up, returns the value below that text. */
  private seenBelow(mark: Mark): unknown {
    const markBelow = this.marks.get(String(mark.over))
    return markBelow?.by === mark.by && markBelow.state === 'given up' ? this.seenBelow(markBelow) : mark.over
  }

  private of({ values, call }: Operation): Mark[] {
    return [...Object.values(values), ...Object.values(call?.args ?? {})].flatMap(
      (value) => this.marks.get(String(value)) ?? [],
    )
  }
}
