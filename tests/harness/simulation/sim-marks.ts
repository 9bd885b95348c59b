import { dependentsOf } from '#web/data/changes/next.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { nextTaskId } from '#web/lib/series.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import type { SimDevice } from './sim-device.ts'
import type { LoggedChange, SimTable } from './sim-world.ts'

/** The text field of each table that marks are written into. */
export const markedField = { deals: 'name', contacts: 'title', companies: 'notes', tasks: 'title' } as const

const markedFields = [...new Set([...Object.values(markedField), 'body'])]

interface Mark {
  /** acknowledged: the screen shows it as saved, on the server or on this device. */
  state: 'open' | 'acknowledged' | 'given up'
  /** Who wrote it. */
  by: string
  /** What the person saw in its place. */
  over: unknown
  /** The person was asked, and chose it over a colleague's. */
  isChosen: boolean
}

/** Texts that are written once in a life: each tells which edit it is of, and what must have become of it. */
export class Marks {
  /** What was deleted in this life: it may be restored. */
  readonly deleted: { table: SimTable; ids: readonly string[] }[] = []
  /** Stages and tags whose delete moved their records elsewhere: it may be undone. */
  readonly moved: { deal_stages: string[]; tags: string[] } = { deal_stages: [], tags: [] }
  private readonly marks = new Map<string, Mark>()

  /** A new mark of a person; `over` is what they see in its place. */
  next(sim: SimDevice, over: unknown): string {
    const text = `mark${this.marks.size + 1}`
    this.marks.set(text, { state: 'open', by: sim.person.id, over, isChosen: false })
    return text
  }

  /** Notes the outcome of the edit with this mark. */
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

  /** The person chooses their own text over a colleague's. */
  choose(operation: Operation): void {
    for (const mark of this.of(operation)) mark.isChosen = true
  }

  /** The person gives an operation up, and with it what cannot go on without it. */
  giveUp(sim: SimDevice, operation: Operation): void {
    for (const lost of [operation, ...dependentsOf(queue(sim.device).get().operations, operation)])
      for (const mark of this.of(lost)) mark.state = 'given up'
  }

  /** Sentences about acknowledged edits that did not arrive, edits that arrived twice, and a colleague's that were overwritten unseen. */
  faults(changes: readonly LoggedChange[]): string[] {
    const arrivals = new Map<string, number>()
    const found: string[] = []
    const deleted = new Set<string>()
    const inSeries = new Set(changes.map(({ id }) => nextTaskId(id)))
    for (const { operation, id, before, after } of changes) {
      if (operation === 'DELETE') deleted.add(id)
      // A restored row comes back with all its fields, the next task of a series has those of the one before: no second arrival.
      if (operation === 'DELETE' || (operation === 'INSERT' && (deleted.has(id) || inSeries.has(id)))) continue
      for (const text of new Set(
        markedFields.map((field) => (before?.[field] === after?.[field] ? null : after?.[field])),
      ))
        if (typeof text === 'string') arrivals.set(text, (arrivals.get(text) ?? 0) + 1)
      if (operation === 'UPDATE')
        for (const field of markedFields) found.push(...this.overwritten(before?.[field], after?.[field]))
    }
    for (const [text, { state }] of this.marks) {
      const times = arrivals.get(text) ?? 0
      if (times > 1) found.push(`${text} arrived ${times} times`)
      if (state === 'acknowledged' && times === 0) found.push(`${text} was acknowledged and never arrived`)
    }
    return found
  }

  private overwritten(before: unknown, after: unknown): string[] {
    const [theirs, mine] = [this.marks.get(String(before)), this.marks.get(String(after))]
    if (before === after || !theirs || !mine || mine.isChosen) return []
    return theirs.by === mine.by || mine.over === before ? [] : [`${String(after)} overwrote ${String(before)} unseen`]
  }

  private of({ values, call }: Operation): Mark[] {
    return [...Object.values(values), ...Object.values(call?.args ?? {})].flatMap(
      (value) => this.marks.get(String(value)) ?? [],
    )
  }
}
