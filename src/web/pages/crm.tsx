import { useDevice } from '#web/data/browser/device.ts'
import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useUndoKeys } from '#web/crm/use-undo-keys.ts'
import { chooseBrand, clearActiveBrand, useActiveBrand } from '#web/data/people/active-brand.ts'
import { readMemberships } from '#web/data/people/brands.ts'
import { useMemberNames } from '#web/data/people/member-names.ts'
import { useSession } from '#web/data/session/session.ts'
import { AccountMenu } from '#web/features/account/account-menu.tsx'
import { useSessionEnd } from '#web/features/account/use-session-end.ts'
import { useLeaveWhenSignedOut } from '#web/features/account/use-leave-when-signed-out.ts'
import { useSignOut } from '#web/features/account/use-sign-out.ts'
import { UpdateNotice } from '#web/features/install/update-notice.tsx'
import { BottomNav } from '#web/features/navigation/bottom-nav.tsx'
import { Sidebar } from '#web/features/navigation/sidebar.tsx'
import { Bell } from '#web/features/notifications/bell.tsx'
import { ColleaguesInBrand } from '#web/features/presence/colleagues-in-brand.tsx'
import { StorageFullNotice } from '#web/features/sync/storage-full-notice.tsx'
import { SyncIndicator } from '#web/features/sync/sync-indicator.tsx'
import { SyncNotices } from '#web/features/sync/sync-notices.tsx'
import { useNavigate, useShownLocation } from '#web/lib/routing/use-router.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { setTeamHues } from '#web/lib/team-hues.ts'
import { afterStart } from '#web/lib/after-start.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { announce } from '#web/ui/live-region.ts'
import { reloadWithToast, toast } from '#web/ui/toast.ts'
import { Wordmark } from '#web/ui/wordmark.tsx'
import { navItems } from './nav-items.tsx'
import { PageOrReason } from './page-or-reason.tsx'

const NewBrandDialog = lazyDialog(
  async () => (await import('#web/features/brands/new-brand-dialog.tsx')).NewBrandDialog,
)
const InstallCard = lazyComponent(async () => (await import('#web/features/install/install-card.tsx')).InstallCard)
const ShortcutsDialog = lazyDialog(
  async () => (await import('#web/features/navigation/shortcuts-dialog.tsx')).ShortcutsDialog,
)
const loadSignOutDialog = () => import('#web/features/account/sign-out-dialog.tsx')
const SignOutDialog = lazyDialog(async () => (await loadSignOutDialog()).SignOutDialog)

/** The frame of all pages below /crm: header, sidebar, on the phone a bottom navigation (spec section 2). Pages scroll in `#main`. */
export function CrmFrame() {
  const device = useDevice()
  const { session } = useSession()
  const { brand, lost } = useActiveBrand()
  const names = useMemberNames()
  useLayoutEffect(() => setTeamHues([...names.values()]), [names])
  const { pathname } = useShownLocation()
  const navigate = useNavigate()
  const [isCreatingBrand, setCreatingBrand] = useState(false)
  const [areShortcutsOpen, setShortcutsOpen] = useState(false)
  const [outboxOpen, setOutboxOpen] = useState(false)
  useShortcut('?', () => setShortcutsOpen(true))
  const toAuth = () => void navigate({ to: '/auth', replace: true })
  const signingOut = useSignOut(toAuth)
  useSessionEnd(toAuth)
  const leaveBrand = async () => {
    await clearActiveBrand(device)
    await navigate({ to: '/select-brand' })
  }
  const switchBrand = async () => {
    // Memberships are counted here, not on /select-brand: if a person loses one of two brands and reloads /select-brand, the other brand must open by
    // itself.
    const isOnlyBrand = (await readMemberships(device)).length === 1
    await clearActiveBrand(device)
    await navigate({ to: '/select-brand', state: { switched: isOnlyBrand } })
  }

  const [isIdle, setIdle] = useState(false)
  useEffect(
    () =>
      afterStart(() => {
        setIdle(true)
        return loadSignOutDialog()
      }),
    [],
  )
  useUndoKeys(device)
  // No toast is shown, because /select-brand shows the reason.
  const onRemoved = useEffectEvent(() => {
    // Outcomes that arrive later may be refusals for the same reason. They are not shown.
    toast.leave()
    void leaveBrand()
  })
  useLeaveWhenSignedOut(() => {
    // The toast may name a record of this brand, and its 'Undo' would change this brand. The announcement to screen readers names the same record.
    toast.dismiss()
    announce('')
    announce('', 'assertive')
    toAuth()
  })
  const onClosed = useEffectEvent(() => {
    toast.error('A second factor is needed')
    void leaveBrand()
  })
  useEffect(() => {
    if (lost === 'removed') onRemoved()
    if (lost === 'closed') onClosed()
  }, [lost])

  return (
    <div className="grid h-dvh grid-cols-[auto_minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-30 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-sm font-medium text-on-accent focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to content
      </a>
      <header className="col-span-2 flex h-13 items-center gap-4 border-b border-line pr-4 max-sm:h-[calc(3.75rem+env(safe-area-inset-top))] max-sm:border-0 max-sm:px-4 max-sm:pt-[env(safe-area-inset-top)] max-sm:pr-3">
        <div className="flex w-52 items-center pl-5 max-sm:hidden">
          <Wordmark />
        </div>
        <div className="-ml-4 flex min-w-0 flex-1 items-center gap-2.5 border-l border-line2 pl-4 max-sm:hidden">
          {brand && (
            <button
              type="button"
              title="Switch Brand"
              onClick={() => void switchBrand()}
              className="-mx-2 flex h-8 min-w-0 items-center gap-2.5 rounded-control px-2 hover:bg-hover"
            >
              <LetterTile name={brand.name} />
              <span className="truncate text-14/5 font-medium">{brand.name}</span>
            </button>
          )}
        </div>
        <div className="flex min-w-0 flex-1 sm:hidden">
          <button
            type="button"
            title="Switch Brand"
            onClick={() => void switchBrand()}
            className="flex h-11 min-w-11 items-center gap-3 rounded-control text-left [&>svg]:shrink-0"
          >
            <Mark size={26} />
            <span className="min-w-0">
              <span className="block text-15/5 font-semibold">Banyan CRM</span>
              <span className="block truncate text-13/4 text-ink2">{brand?.name}</span>
            </span>
          </button>
        </div>
        <div className="flex items-center gap-2 max-sm:gap-1">
          <ColleaguesInBrand />
          <SyncIndicator open={outboxOpen} onOpen={setOutboxOpen} />
          <Bell />
          <span className="h-5 w-px bg-line max-sm:hidden" />
          <AccountMenu
            email={session?.email ?? ''}
            displayName={names.get(session?.userId ?? '') ?? null}
            onSwitchBrand={() => void switchBrand()}
            onNewBrand={() => setCreatingBrand(true)}
            onSettings={() => void navigate({ to: '/crm/settings' })}
            onShortcuts={() => setShortcutsOpen(true)}
            onSignOut={signingOut.ask}
          />
        </div>
      </header>
      <Sidebar
        items={navItems}
        foot={
          isIdle && (
            <Suspense>
              <InstallCard />
            </Suspense>
          )
        }
      />
      <main
        id="main"
        tabIndex={-1}
        className="relative col-start-2 row-start-2 overflow-y-auto outline-none max-sm:col-span-2 max-sm:col-start-1"
      >
        <ErrorBoundary key={`${brand?.id} ${pathname.split('/')[2]}`}>
          <PageOrReason />
        </ErrorBoundary>
      </main>
      <div className="col-span-2" data-stays="">
        <BottomNav items={navItems} />
      </div>
      <SyncNotices onShowOutbox={() => setOutboxOpen(true)} />
      <StorageFullNotice />
      <UpdateNotice />
      <ShortcutsDialog open={areShortcutsOpen} onClose={() => setShortcutsOpen(false)} />
      <NewBrandDialog
        open={isCreatingBrand}
        onClose={() => setCreatingBrand(false)}
        onCreated={(brandId) => {
          void chooseBrand(device, brandId).then(() => reloadWithToast('Brand created successfully!', '/crm/overview'))
        }}
      />
      <SignOutDialog open={signingOut.asking} {...signingOut} onShowAttention={() => setOutboxOpen(true)} />
    </div>
  )
}
