import { useDeferredValue } from 'react'
import type { ShownPart } from '#web/crm/list-part.tsx'
import NoteHits, { type RenderNoMatch } from '#web/crm/note-hits.tsx'
import type { Board } from '#web/data/deals.ts'
import type { Where } from '#web/data/query/list-options.ts'

interface DealNoteHitsProps {
  board: Board
  search: string
  /** Whose deals are shown, as in the address. */
  owner: string | undefined
  part: ShownPart | undefined
  where: Where | undefined
  currentId: string | null
  /** Shown where no note is found either; false: the board has deals. */
  empty: RenderNoMatch | false
}

/** Below the board: the deals of its columns that a search finds by their notes. */
export default function DealNoteHits({ board, search, owner, part, where, currentId, empty }: DealNoteHitsProps) {
  const text = useDeferredValue(search.trim())
  const owned = owner !== undefined && owner !== 'mine' && { owner_id: owner === 'none' ? null : owner }
  const stages = { stage_id: board.columns.map(({ stage }) => stage.id) }
  return (
    <NoteHits
      table="deals"
      search={text}
      mine={owner === 'mine'}
      where={{ ...stages, ...owned, ...part?.where?.(), ...where }}
      currentId={currentId}
      overlay={empty}
    />
  )
}
