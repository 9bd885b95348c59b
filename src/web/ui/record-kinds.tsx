import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import { BrandTile } from './brand-tile.tsx'
import type { ComboboxOption } from './combobox-option.ts'
import type { ComboboxAddition } from './combobox-addition.ts'
import { CompanyIcon, DealIcon, PersonIcon } from './icons.tsx'

/** Records that a field offers, and where it tells what was typed to find others. */
export interface FoundRecords {
  ready: boolean
  choices: readonly ComboboxOption[]
  onSearch: (text: string) => void
  /** How one is made of what was typed; not every kind can be. */
  addition?: ComboboxAddition
}

export type RecordKind = 'contacts' | 'companies' | 'deals'

interface RecordLook {
  label: string
  /** Where none is chosen. */
  icon: ReactNode
  /** In front of its name, 20 or 32 px. */
  leading: (option: ComboboxOption, size?: 20 | 32) => ReactNode
}

/** How fields show a record that another one is linked to. */
export const recordKinds: Record<RecordKind, RecordLook> = {
  contacts: {
    label: 'Contact',
    icon: <PersonIcon />,
    leading: ({ label }, size = 20) => <Avatar name={label} size={size} />,
  },
  companies: {
    label: 'Company',
    icon: <CompanyIcon />,
    leading: ({ label }, size) => <BrandTile name={label} size={size} />,
  },
  deals: {
    label: 'Deal',
    icon: <DealIcon />,
    leading: (_, size) =>
      size === 32 ? (
        <span className="grid size-8 place-items-center rounded-control bg-active text-ink2">
          <DealIcon />
        </span>
      ) : (
        <DealIcon />
      ),
  },
}

/** What a combobox needs to offer them. */
export function offered({ ready, choices, onSearch, addition }: FoundRecords) {
  return { options: choices, onSearch, addition, loading: !ready }
}
