import type { ReactNode } from 'react'
import type { Factor } from '#web/data/session/second-factor.ts'
import { ChevronRightIcon, KeyIcon, MessageIcon, PhoneDeviceIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

interface FactorChoiceProps {
  factors: readonly Factor[]
  footer: ReactNode
  onChoose: (factor: Factor) => void
}

const kindLabels = {
  totp: { icon: <PhoneDeviceIcon />, word: 'Authenticator app' },
  phone: { icon: <MessageIcon />, word: 'Phone' },
  webauthn: { icon: <KeyIcon />, word: 'Passkey' },
} as const

/** Lets the person choose one of several factors. */
export function FactorChoice({ factors, footer, onChoose }: FactorChoiceProps) {
  return (
    <StepCard title="Choose a factor" description="Sign-in asks for one of these." footer={footer}>
      <ul className="-mx-2">
        {factors.map((factor) => (
          <li key={factor.id}>
            <button
              type="button"
              onClick={() => onChoose(factor)}
              className="flex min-h-13 w-full items-center gap-3 rounded-control px-2 text-left hover:bg-hover active:bg-active"
            >
              <span className="grid size-8 shrink-0 place-items-center rounded-control bg-active text-ink2">
                {kindLabels[factor.kind].icon}
              </span>
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{factor.name || kindLabels[factor.kind].word}</span>
                <span className="block text-xs text-ink2">{kindLabels[factor.kind].word}</span>
              </span>
              <ChevronRightIcon className="text-ink3" />
            </button>
          </li>
        ))}
      </ul>
    </StepCard>
  )
}
