import { ExportButton } from '#web/crm/export/export-button.tsx'
import type { ShownPart } from '#web/crm/list-part.tsx'
import type { Board } from '#web/data/deals.ts'
import type { Where } from '#web/data/query/list-options.ts'

interface ExportBoardProps {
  board: Board
  search: string
  /** The owner filter, as in the URL. */
  owner: string | undefined
  part: ShownPart | undefined
  filter: Where | undefined
}

/** The button that downloads the deals on the board. Renders nothing if there are none. */
export function ExportBoard({ board, search, owner, part, filter }: ExportBoardProps) {
  if (!board.columns.some(({ count }) => count > 0)) return null
  const stages = board.columns.map(({ stage }) => stage.id)
  const ofOwner = owner !== undefined && owner !== 'mine' && { owner_id: owner === 'none' ? null : owner }
  const where = { stage_id: stages, ...ofOwner, ...part?.where?.(), ...filter }
  const query = { table: 'deals', search, mine: owner === 'mine', where } as const
  return <ExportButton query={query} label="Export these deals" quiet className="w-full" />
}
