import { AccountCard } from './account-card.tsx'
import { DemandCard } from './demand-card.tsx'
import { EmailCard } from './email-card.tsx'
import { FactorsCard } from './factors-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { RecoveryCodesCard } from './recovery-codes-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** The tab Security of /crm/settings: how the signed-in person gets in, and where they are. `onDeleted`: the account is gone. */
export function SecurityTab({ onDeleted }: { onDeleted: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1.755fr)_minmax(0,1fr)] items-start gap-4 max-lg:grid-cols-1">
      <div className="grid gap-4">
        <FactorsCard />
        <SessionsCard />
      </div>
      <div className="grid gap-4">
        <RecoveryCodesCard />
        <PasswordCard />
        <EmailCard />
        <DemandCard />
        <AccountCard onDeleted={onDeleted} />
      </div>
    </div>
  )
}
