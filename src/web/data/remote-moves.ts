import { useEffect, useEffectEvent } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Change } from '#web/data/store/collection.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { whenChangeWasMade } from '#web/data/sync/change-arrival.ts'
import { peopleView } from '#web/data/people/people.ts'
import type { Deal } from '#web/data/server/rows.ts'

/** A move of a deal by a colleague. */
export interface RemoteMove {
  dealId: string
  dealName: string
  fromStageId: string
  stageId: string
  stageName: string
  /** The person who moved the deal. Null if that is not certain. */
  mover: Mover | null
}

export interface Mover {
  userId: string
  /** The full name, for the avatar. */
  name: string
  /** The first name if no other member has it, else the full name. */
  shortName: string
}

/**
 * Calls `onMoves` with moves by others when the rows of the deals arrive, before a screen shows them. `away`: the moves were made while this page
 * did not pull. Leaves out the first pull, moves by the user, and deals with waiting operations.
 */
export function useRemoteMoves(onMoves: (moves: readonly RemoteMove[], away: boolean) => void): void {
  const data = useBrandData()
  const emitMoves = useEffectEvent(onMoves)
  useEffect(() => {
    if (!data) return
    return data.tables.deals.onServerRows((changes) => {
      const arrival = whenChangeWasMade(data)
      if (arrival === 'first') return
      const moves = changes.flatMap((change) => moveOf(data, change) ?? [])
      if (moves.length > 0) emitMoves(moves, arrival === 'away')
    })
  }, [data])
}

function moveOf(data: BrandData, { id, before, after }: Change<Deal>): RemoteMove | null {
  if (!before || !after || before.stage_id === after.stage_id) return null
  if (after.updated_by === data.userId || data.tables.deals.isWaiting(id)) return null
  const stage = data.tables.deal_stages.get(after.stage_id)
  if (!stage) return null
  // If the row has changed several times, the last author may not be the person who moved the deal.
  const mover = after.version === before.version + 1 ? moverOf(data, after.updated_by) : null
  return {
    dealId: id,
    dealName: after.name,
    fromStageId: before.stage_id,
    stageId: stage.id,
    stageName: stage.name,
    mover,
  }
}

function moverOf(data: BrandData, userId: string | null): Mover | null {
  const { byId, members } = peopleView(data).read()
  const person = byId(userId)
  if (!person) return null
  const first = firstWord(person.name)
  const isUnique = person.isMember && members.filter(({ name }) => firstWord(name) === first).length === 1
  return { userId: person.userId, name: person.name, shortName: isUnique ? first : person.name }
}

function firstWord(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}
