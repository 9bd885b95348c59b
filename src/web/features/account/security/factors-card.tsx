import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { mySecondFactors } from '#web/data/session/enrol-factor.ts'
import type { Factor } from '#web/data/session/second-factor.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyIcon, MessageIcon, PhoneDeviceIcon, PlusIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { RemoveFactorDialog } from './remove-factor-dialog.tsx'
import { CardProblem, SecurityCard, SecurityList, SecurityRow } from './security-card.tsx'

const AddFactorDialog = lazyDialog(async () => (await import('./add-factor-dialog.tsx')).AddFactorDialog)

const kinds = {
  totp: { icon: <PhoneDeviceIcon />, word: 'Authenticator app' },
  phone: { icon: <MessageIcon />, word: 'Phone' },
  webauthn: { icon: <KeyIcon />, word: 'Passkey' },
} as const

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** The card that lists, adds and removes the person's second factors. */
export function FactorsCard() {
  const device = useDevice()
  const { value, error } = useOnlineValue(mySecondFactors)
  const [isAddOpen, setIsAddOpen] = useState(false)
  const [factorToRemove, setFactorToRemove] = useState<Factor | null>(null)
  const factors = value?.factors ?? []
  return (
    <SecurityCard title="Second factors" description="Sign-in asks for one of these after your password.">
      {factors.length > 0 && (
        <SecurityList>
          {factors.map((factor) => (
            <SecurityRow
              key={factor.id}
              icon={kinds[factor.kind].icon}
              title={factor.name || kinds[factor.kind].word}
              line={`${kinds[factor.kind].word} · Added ${dayFormat.format(new Date(factor.addedAt))}`}
            >
              <Badge tone="tone-won">Verified</Badge>
              <Button
                variant="quiet"
                aria-label={`Remove ${factor.name || kinds[factor.kind].word}`}
                onClick={() => setFactorToRemove(factor)}
              >
                Remove
              </Button>
            </SecurityRow>
          ))}
        </SecurityList>
      )}
      {!error && factors.length === 0 && (
        <p className="mt-4 text-sm text-ink3">None yet. With one, a stolen password alone is not enough to sign in.</p>
      )}
      {error && <CardProblem message={error} onRetry={() => void mySecondFactors(device).reload()} />}
      <Button className="mt-3" icon={<PlusIcon />} onClick={() => setIsAddOpen(true)}>
        Add a factor
      </Button>
      <AddFactorDialog open={isAddOpen} taken={factors} onClose={() => setIsAddOpen(false)} />
      {factorToRemove && (
        <RemoveFactorDialog
          factor={factorToRemove}
          last={factors.length === 1}
          onClose={() => setFactorToRemove(null)}
        />
      )}
    </SecurityCard>
  )
}
