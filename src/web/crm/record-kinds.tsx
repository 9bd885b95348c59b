import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/avatar.tsx'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import type { Choice, SearchedChoices } from '#web/lib/choice.ts'
import { BuildingIcon, HandshakeIcon, PersonIcon } from '#web/ui/icons.tsx'

export type RecordKind = 'contacts' | 'companies' | 'deals'

interface RecordLook {
  label: string
  /** The icon of the kind. It is shown while no record is chosen, and in a form also before a typed name that is no record. */
  icon: ReactNode
  /** Renders the avatar, tile or icon before the record's name. `size`: its width and height in px; by default 20, for an icon its own size. */
  leading: (option: Choice, size?: 20 | 32) => ReactNode
}

/** How fields show a linked record of each kind. */
export const recordKinds: Record<RecordKind, RecordLook> = {
  contacts: {
    label: 'Contact',
    icon: <PersonIcon />,
    leading: ({ label }, size = 20) => <Avatar name={label} size={size} />,
  },
  companies: {
    label: 'Company',
    icon: <BuildingIcon />,
    leading: ({ label }, size) => <LetterTile name={label} size={size} />,
  },
  deals: {
    label: 'Deal',
    icon: <HandshakeIcon />,
    leading: (_, size) =>
      size === 32 ? (
        <span className="grid size-8 place-items-center rounded-control bg-active text-ink2">
          <HandshakeIcon />
        </span>
      ) : (
        <HandshakeIcon />
      ),
  },
}

/** Returns the props of a combobox that offers these options. */
export function comboboxProps({ ready, choices, onSearch, addition }: SearchedChoices) {
  return { options: choices, onSearch, addition, loading: !ready }
}
