import { useDeferredValue } from 'react'
import type { ShownPart } from '#web/crm/list-part.tsx'
import NoteHits, { type RenderNoMatch } from '#web/crm/note-hits.tsx'
import type { Board } from '#web/data/deals.ts'
import type { Where } from '#web/data/query/list-options.ts'

interface DealNoteHitsProps {
  board: Board
  search: string
  /** The owner filter, as in the URL. */
  owner: string | undefined
  part: ShownPart | undefined
  where: Where | undefined
  currentId: string | null
  /** Rendered if no note matches the search either; false if the board has deals. */
  empty: RenderNoMatch | false
}

/** Shown below the board: the deals of its columns with a note that matches the search. */
export default function DealNoteHits({ board, search, owner, part, where, currentId, empty }: DealNoteHitsProps) {
  const text = useDeferredValue(search.trim())
  const ofOwner = owner !== undefined && owner !== 'mine' && { owner_id: owner === 'none' ? null : owner }
  const stages = { stage_id: board.columns.map(({ stage }) => stage.id) }
  return (
    <NoteHits
      table="deals"
      search={text}
      mine={owner === 'mine'}
      where={{ ...stages, ...ofOwner, ...part?.where?.(), ...where }}
      currentId={currentId}
      overlay={empty}
    />
  )
}
