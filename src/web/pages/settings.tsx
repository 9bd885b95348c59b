import { TeamMembers } from '#web/features/members/team-members.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** /crm/settings: who is in the brand; stages and tags to come (spec section 2). */
export function SettingsPage() {
  useDocumentTitle('Settings')
  return (
    <div className="px-6 pt-6 pb-8 max-sm:px-4 max-sm:pt-2">
      <PageHeader title="Settings" />
      <div className="mt-6 grid grid-cols-[minmax(0,1.86fr)_minmax(0,1fr)] items-start gap-4 max-lg:grid-cols-1 max-sm:mt-4">
        <TeamMembers />
        <div className="grid gap-4">
          <ComingSoon title="Deal Stages" />
          <ComingSoon title="Tags" />
        </div>
      </div>
    </div>
  )
}

function ComingSoon({ title }: { title: string }) {
  return (
    <Card aria-label={title} className="p-6 max-sm:p-4">
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1 text-ink2">Coming soon</p>
    </Card>
  )
}
