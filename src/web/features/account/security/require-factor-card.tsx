import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { secondFactorRequirement, requireSecondFactor } from '#web/data/people/second-factor-requirement.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.ts'
import { SecurityCard } from './security-card.tsx'

function refusalText(refusal: { message: string; code: string | null }): string {
  if (isRefusal(refusal, 'SECOND_FACTOR_REQUIRED')) return 'Add a second factor to your own account first.'
  if (isRefusal(refusal, 'NOT_AUTHORIZED')) return 'Only owners can change this.'
  return refusal.message
}

/** The card in which owners set whether members need a second factor to see the brand's data. */
export function RequireFactorCard() {
  const device = useDevice()
  const { brand } = useActiveBrand()
  const { value, missing } = useOnlineValue(secondFactorRequirement)
  const [pending, setPending] = useState(false)
  if (brand?.role !== 'owner' || missing) return null
  const change = async (required: boolean) => {
    setPending(true)
    const outcome = await requireSecondFactor(device, required)
    setPending(false)
    if (outcome.status !== 'refused') return
    toast.error('The setting was not changed', { description: refusalText(outcome) })
  }
  return (
    <SecurityCard
      title="Require a second factor"
      description={`Members of ${brand.name} without one see no data of this brand until they add it.`}
      aside={
        <Switch
          label="Require a second factor"
          checked={value === true}
          disabled={value === null}
          pending={pending}
          onChange={(to) => void change(to)}
        />
      }
    />
  )
}
