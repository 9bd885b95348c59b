import { Suspense, useCallback, useEffect, useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useIsNameless } from '#web/data/people/first-entry.ts'
import { AddedNotice } from '#web/features/brands/added-notice.tsx'
import { AddCompanyDialog } from '#web/features/companies/add-company-dialog.tsx'
import { AddContactDialog } from '#web/features/contacts/add-contact-dialog.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import { ClosingNext } from '#web/features/overview/closing-next.tsx'
import { PipelineByStage } from '#web/features/overview/pipeline-by-stage.tsx'
import { type QuickAction, QuickActions } from '#web/features/overview/quick-actions.tsx'
import { StatCards } from '#web/features/overview/stat-cards.tsx'
import { NewTaskDialog } from '#web/features/tasks/new-task-dialog.tsx'
import { TasksDue } from '#web/features/tasks/tasks-due.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { AddPersonIcon, AddToListIcon, BuildingIcon, HandshakeIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const InstallCard = lazyComponent(async () => (await import('#web/features/install/install-card.tsx')).InstallCard)

const NameNotice = lazyComponent(async () => (await import('#web/features/members/name-notice.tsx')).NameNotice)

const LeaveBrandDialog = lazyDialog(
  async () => (await import('#web/features/members/leave-brand-dialog.tsx')).LeaveBrandDialog,
)

/** Maximum time (ms) for which, on the phone, the content below the tasks is hidden while the tasks are loading. */
const maxHiddenMs = 3_000

type Dialog = 'contact' | 'deal' | 'company' | 'task'

/**
 * /crm/overview: the brand's figures, quick actions, the pipeline and the due tasks (spec section 2). On the phone the due tasks come
 * first.
 */
export function OverviewPage() {
  useDocumentTitle('Overview')
  const [openDialog, setOpenDialog] = useState<Dialog | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const { brand } = useActiveBrand()
  const isNameless = useIsNameless()
  const navigate = useNavigate()
  const isPhone = useNarrow()
  const [isRestShown, setRestShown] = useState(false)
  const showRest = useCallback(() => setRestShown(true), [])
  useEffect(() => {
    const timer = setTimeout(showRest, maxHiddenMs)
    return () => clearTimeout(timer)
  }, [showRest])
  // On the phone, the content below the due tasks is hidden until their number is known, so that this content does not move.
  const restClasses = isPhone && !isRestShown ? 'contents invisible' : 'contents'
  const close = () => setOpenDialog(null)
  const actions: readonly QuickAction[] = [
    { label: 'Add Contact', icon: <AddPersonIcon />, run: () => setOpenDialog('contact') },
    { label: 'Create Deal', icon: <HandshakeIcon />, run: () => setOpenDialog('deal') },
    { label: 'Add Company', icon: <BuildingIcon />, run: () => setOpenDialog('company') },
    { label: 'New Task', icon: <AddToListIcon />, run: () => setOpenDialog('task') },
  ]
  return (
    <div className="flex flex-col gap-6 px-6 pt-6 pb-8 max-sm:gap-5 max-sm:px-4 max-sm:pt-2">
      <div className="flex flex-col gap-5 max-sm:gap-4">
        {brand?.added && <AddedNotice brand={brand} onLeave={() => setLeaving(true)} />}
        {isNameless && !brand?.added && (
          <Suspense fallback={<div className="h-14 max-sm:h-45.5" />}>
            <NameNotice />
          </Suspense>
        )}
        <PageHeader title="Dashboard Overview" />
        {isPhone ? (
          <>
            <TasksDue limit={5} onShown={showRest} />
            <div className={restClasses}>
              <ClosingNext />
            </div>
          </>
        ) : (
          <StatCards />
        )}
      </div>
      <div className={restClasses}>
        {isPhone && <StatCards />}
        <QuickActions actions={actions} />
        {isPhone ? (
          <PipelineByStage />
        ) : (
          <div className="grid grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)] items-start gap-3 max-lg:grid-cols-1">
            <div className="grid gap-3">
              <PipelineByStage />
              <ClosingNext />
            </div>
            <TasksDue limit={11} className="h-full" />
          </div>
        )}
        <div className="sm:hidden">
          <Suspense>
            <InstallCard />
          </Suspense>
        </div>
      </div>
      {brand && (
        <LeaveBrandDialog
          open={isLeaving}
          brandName={brand.name}
          onClose={() => setLeaving(false)}
          onLeft={() => void navigate({ to: '/select-brand' })}
        />
      )}
      <AddContactDialog open={openDialog === 'contact'} onClose={close} />
      <NewDealDialog open={openDialog === 'deal'} onClose={close} />
      <AddCompanyDialog open={openDialog === 'company'} onClose={close} success="Company added successfully!" />
      <NewTaskDialog open={openDialog === 'task'} onClose={close} />
    </div>
  )
}
