import { useNavigate, useParams } from '@tanstack/react-router'
import { useRecord } from '#web/data/use-record.ts'
import { Panel, PanelMissing, PanelSkeleton } from '#web/ui/panel.tsx'

/** /crm/deals/ID: a deal beside the list. */
export function DealPage() {
  const { dealId: id } = useParams({ from: '/crm/deals/$dealId' })
  const navigate = useNavigate()
  const { ready, row, missing } = useRecord('deals', id)
  const close = () => void navigate({ to: '/crm/deals', search: (kept) => kept, resetScroll: false })
  const name = row ? row.name : ''
  return (
    <Panel label={`Deal ${name}`} kind="Deal" recordId={id} onClose={close}>
      {missing ? <PanelMissing /> : ready && row ? <h2 className="text-xl">{name}</h2> : <PanelSkeleton />}
    </Panel>
  )
}
