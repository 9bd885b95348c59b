import { useDevice } from '#web/data/browser/device.ts'
import { useIsOnlineValueReady } from '#web/data/session/online-value.ts'
import { mySecondFactors } from '#web/data/session/enrol-factor.ts'
import { mySessions } from '#web/data/session/my-sessions.ts'
import { pendingEmail } from '#web/data/session/present-email.ts'
import { recoveryCodesLeft } from '#web/data/session/recovery-codes.ts'
import { cx } from '#web/lib/class-names.ts'
import { useReloadOnReturn } from '#web/lib/use-reload-on-return.ts'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { AccountCard } from './account-card.tsx'
import { RequireFactorCard } from './require-factor-card.tsx'
import { EmailCard } from './email-card.tsx'
import { FactorsCard } from './factors-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { RecoveryCodesCard } from './recovery-codes-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

const shownValues = [mySecondFactors, mySessions, recoveryCodesLeft, pendingEmail]

const columns = 'grid grid-cols-[minmax(0,1.755fr)_minmax(0,1fr)] items-start gap-4 max-lg:grid-cols-1'

/**
 * The tab Security of /crm/settings: the ways to sign in, and the sessions. All cards are shown together after the server has responded, so
 * that a card that loads late does not move the others. `onDeleted`: called after the account was deleted.
 */
export function SecurityTab({ onDeleted }: { onDeleted: () => void }) {
  const device = useDevice()
  useReloadOnReturn(() => {
    for (const valueOf of shownValues) void valueOf(device).reload()
  })
  const areLoaded = [
    useIsOnlineValueReady(mySecondFactors),
    useIsOnlineValueReady(mySessions),
    useIsOnlineValueReady(recoveryCodesLeft),
    useIsOnlineValueReady(pendingEmail),
  ]
  const phase = useSkeleton(areLoaded.every(Boolean))
  return (
    <>
      {phase === 'skeleton' && (
        <div className={columns}>
          <Skeleton className="h-44 rounded-card" />
          <Skeleton className="h-36 rounded-card max-lg:hidden" />
        </div>
      )}
      <div className={cx(columns, phase !== 'content' && 'hidden')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <FactorsCard />
          <SessionsCard />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <RecoveryCodesCard />
          <PasswordCard />
          <EmailCard />
          <RequireFactorCard />
          <AccountCard onDeleted={onDeleted} />
        </div>
      </div>
    </>
  )
}
