import type { FactorKind } from '#web/data/session/second-factor.ts'
import { ChevronRightIcon, KeyIcon, MessageIcon, PhoneDeviceIcon } from '#web/ui/icons.tsx'

const kinds = [
  {
    kind: 'totp',
    icon: <PhoneDeviceIcon />,
    title: 'Authenticator app',
    line: 'Six digits that change every 30 seconds',
  },
  { kind: 'webauthn', icon: <KeyIcon />, title: 'Passkey', line: 'This device, your phone, or a security key' },
  { kind: 'phone', icon: <MessageIcon />, title: 'Phone', line: 'Six digits in a text message' },
] as const

/** Lets the person choose the kind of factor to add. */
export function FactorKindChoice({ onChoose }: { onChoose: (kind: FactorKind) => void }) {
  return (
    <ul className="-mx-2">
      {kinds.map(({ kind, icon, title, line }, index) => (
        <li key={kind}>
          <button
            type="button"
            data-autofocus={index === 0 || undefined}
            onClick={() => onChoose(kind)}
            className="flex min-h-13 w-full items-center gap-3 rounded-control px-2 text-left hover:bg-hover active:bg-active"
          >
            <span className="grid size-8 shrink-0 place-items-center rounded-control bg-active text-ink2">{icon}</span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-ink2">{line}</span>
            </span>
            <ChevronRightIcon className="text-ink3" />
          </button>
        </li>
      ))}
    </ul>
  )
}
