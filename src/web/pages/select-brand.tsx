import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { chooseBrand, type LostBrand, useLostBrand } from '#web/data/people/active-brand.ts'
import { useMemberships } from '#web/data/people/use-memberships.ts'
import type { Membership } from '#web/data/people/membership.ts'
import { openAddedBrand } from '#web/data/people/brand-opening.ts'
import { recordFirstEntry } from '#web/data/people/first-entry.ts'
import { reloadBrands, withoutMemberships } from '#web/data/people/closed-brands.ts'
import { closedBrands } from '#web/data/people/second-factor-requirement.ts'
import { useOnLine } from '#web/data/server/network.ts'
import { useSession } from '#web/data/session/session.ts'
import { SignOutButton } from '#web/features/account/sign-out-button.tsx'
import { useSessionEnd } from '#web/features/account/use-session-end.ts'
import { useLeaveWhenSignedOut } from '#web/features/account/use-leave-when-signed-out.ts'
import { BrandCards } from '#web/features/brands/brand-cards.tsx'
import { ClosedBrands } from '#web/features/brands/closed-brands.tsx'
import { BrandsError } from '#web/features/brands/brands-error.tsx'
import { BrandsSkeleton } from '#web/features/brands/brands-skeleton.tsx'
import { FirstBrand } from '#web/features/brands/first-brand.tsx'
import { NewBrandDialog } from '#web/features/brands/new-brand-dialog.tsx'
import { useReloadOnReturn } from '#web/lib/use-reload-on-return.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { takeRememberedUrl } from '#web/lib/remembered-url.ts'
import { useRouter, useShownLocation } from '#web/lib/routing/use-router.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { reloadWithToast, toast } from '#web/ui/toast.ts'
import { Wordmark } from '#web/ui/wordmark.tsx'

const LeaveBrandDialog = lazyDialog(
  async () => (await import('#web/features/members/leave-brand-dialog.tsx')).LeaveBrandDialog,
)

/**
 * /select-brand: the person chooses a brand to work in. A single brand opens at once (spec section 2). But a person who presses 'Switch Brand' in
 * their only brand sees this page, with 'New brand'.
 */
export function SelectBrandPage() {
  const device = useDevice()
  const { session } = useSession()
  const { ready, fresh, memberships, error, reload } = useMemberships()
  const [openingId, setOpeningId] = useState<string | null>(null)
  const [isCreating, setCreating] = useState(false)
  // The page reloads after the first brand is created. Until then, the page must not open the new brand.
  const [isCreatingFirst, setIsCreatingFirst] = useState(false)
  const [hasShownChoice, setHasShownChoice] = useState(false)
  const [membershipToLeave, setMembershipToLeave] = useState<Membership | null>(null)
  const [leftCount, setLeftCount] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const requestedId = useRef<string | null>(null)
  // Only the state of this history entry has `switched`. After Back, the guard of the brand's page leads here without `switched`, and the brand
  // opens.
  const isSwitching = useShownLocation().state.switched === true
  const lostBrand = useLostBrand()
  const closed = useOnlineValue(closedBrands)
  const stillClosed = fresh ? withoutMemberships(closed.value, memberships) : (closed.value ?? [])
  const router = useRouter()
  const toAuth = () => void router.navigate({ to: '/auth', replace: true })
  useDocumentTitle('Select a Brand')
  useLeaveWhenSignedOut(toAuth)
  useSessionEnd(toAuth)
  useReloadOnReturn(() => void reloadBrands(device), fresh && memberships.length === 0)

  const isOnLine = useOnLine()
  // Offline, no answer is expected, so the stored memberships count.
  const areMembershipsKnown = fresh || error !== null || (!isOnLine && memberships.length > 0)
  const hasClosedBrands = stillClosed.length > 0
  // After this page has shown an open brand together with a closed one, no brand opens by itself. When a closed brand becomes open, it is in
  // neither list for a moment; without this rule, the other brand would then open.
  if (hasClosedBrands && memberships.length > 0 && !hasShownChoice) setHasShownChoice(true)
  const mayOpenOnlyBrand =
    areMembershipsKnown && !isSwitching && !isCreatingFirst && !hasClosedBrands && !hasShownChoice
  const onlyBrandId = mayOpenOnlyBrand && memberships.length === 1 ? memberships[0]?.brandId : undefined
  const enter = async (brandId: string) => {
    await chooseBrand(device, brandId)
    await router.open(takeRememberedUrl() ?? '/crm/overview', { replace: true })
  }
  const open = async ({ brandId, added }: Membership) => {
    requestedId.current = brandId
    setOpeningId(brandId)
    const outcome = added && (await openAddedBrand(device, brandId))
    // The person chose another brand or left the page before the server answered.
    if (requestedId.current !== brandId) return
    if (outcome?.status === 'saved') recordFirstEntry(device, brandId)
    if (outcome?.status !== 'refused') return enter(brandId)
    setOpeningId(null)
    toast.error('Error opening brand', { description: outcome.message })
  }
  const openOnlyBrand = useEffectEvent((brandId: string) => {
    // The remaining brand opens at once, so a toast says that the person was removed from the other brand.
    if (lostBrand) toast.farewell(removalSentence(lostBrand))
    void enter(brandId)
  })
  useEffect(() => {
    if (onlyBrandId) openOnlyBrand(onlyBrandId)
  }, [onlyBrandId])
  useEffect(
    () => () => {
      requestedId.current = null
    },
    [],
  )
  // The focused card was removed together with its dialog, so the heading gets the focus.
  useEffect(() => {
    if (leftCount > 0) heading.current?.focus()
  }, [leftCount])

  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 px-5">
        <Wordmark />
        <div className="flex min-w-0 items-center gap-2">
          <span className="truncate text-sm text-ink2 max-sm:hidden">{session?.email}</span>
          <Link to="/account" className={buttonClass('quiet')}>
            Security
          </Link>
          <SignOutButton onSignedOut={toAuth} />
        </div>
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-6 py-10 pb-20">
        {lostBrand && !onlyBrandId && (
          <p role="alert" className="mb-6 w-full max-w-190 rounded-card bg-active px-4 py-3 text-sm font-medium">
            {removalSentence(lostBrand)}
          </p>
        )}
        {hasClosedBrands && <ClosedBrands brands={stillClosed} alone={memberships.length === 0} />}
        {!ready ||
        onlyBrandId ||
        (!areMembershipsKnown && !isSwitching && memberships.length < 2) ||
        (memberships.length === 0 && !closed.ready) ? (
          <BrandsSkeleton />
        ) : memberships.length === 0 || isCreatingFirst ? (
          hasClosedBrands ? null : fresh ? (
            <FirstBrand email={session?.email ?? ''} onPending={setIsCreatingFirst} />
          ) : (
            <BrandsError message={error} onRetry={reload} />
          )
        ) : (
          <div className="w-full max-w-190">
            <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
              <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
                Select a Brand
              </h1>
              <Button icon={<PlusIcon />} onClick={() => setCreating(true)}>
                New brand
              </Button>
            </div>
            <BrandCards
              memberships={memberships}
              onOpen={(membership) => void open(membership)}
              onLeave={setMembershipToLeave}
              opening={openingId}
            />
            <NewBrandDialog
              open={isCreating}
              onClose={() => setCreating(false)}
              onCreated={() => reloadWithToast('Brand created successfully!')}
            />
          </div>
        )}
        {membershipToLeave && (
          <LeaveBrandDialog
            open
            brandId={membershipToLeave.brandId}
            brandName={membershipToLeave.name}
            onClose={() => setMembershipToLeave(null)}
            onLeft={() => setLeftCount(leftCount + 1)}
          />
        )}
      </main>
    </div>
  )
}

function removalSentence({ name, unsent }: LostBrand): string {
  const sentence = `You are no longer a member of ${name ?? 'this brand'}.`
  if (unsent === 0) return sentence
  return `${sentence} ${unsent === 1 ? '1 change that was not sent is' : `${unsent} changes that were not sent are`} lost.`
}
