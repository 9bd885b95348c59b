import { useNavigate, useParams } from '@tanstack/react-router'
import { useRecord } from '#web/data/use-record.ts'
import { Panel, PanelMissing, PanelSkeleton } from '#web/ui/panel.tsx'

/** /crm/companies/ID: a company beside the list. */
export function CompanyPage() {
  const { companyId: id } = useParams({ from: '/crm/companies/$companyId' })
  const navigate = useNavigate()
  const { ready, row, missing } = useRecord('companies', id)
  const close = () => void navigate({ to: '/crm/companies', search: (kept) => kept, resetScroll: false })
  const name = row ? row.name : ''
  return (
    <Panel label={`Company ${name}`} kind="Company" recordId={id} onClose={close}>
      {missing ? <PanelMissing /> : ready && row ? <h2 className="text-xl">{name}</h2> : <PanelSkeleton />}
    </Panel>
  )
}
