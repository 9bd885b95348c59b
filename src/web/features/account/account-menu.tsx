import { type ThemeChoice, chooseTheme, readTheme } from '#web/lib/theme.ts'
import { useState } from 'react'
import { Avatar } from '#web/ui/avatar.tsx'
import {
  AppearanceIcon,
  ChevronDownIcon,
  MonitorIcon,
  KeyboardIcon,
  MoonIcon,
  MoveIcon,
  PlusIcon,
  SettingsIcon,
  SignOutIcon,
  SunIcon,
} from '#web/ui/icons.tsx'
import { Menu, MenuItem, MenuSeparator, Submenu } from '#web/ui/menu.tsx'

const themes = [
  { value: 'system', label: 'System', icon: <MonitorIcon /> },
  { value: 'light', label: 'Light', icon: <SunIcon /> },
  { value: 'dark', label: 'Dark', icon: <MoonIcon /> },
] as const

interface AccountMenuProps {
  email: string
  /** The person's name in the active brand; null if it is not on this device. */
  displayName: string | null
  onSwitchBrand: () => void
  onNewBrand: () => void
  onSettings: () => void
  onShortcuts: () => void
  onSignOut: () => void
}

/** The avatar in the header with its menu: brands, appearance, 'Sign Out'; on the phone also Settings, elsewhere the shortcuts. */
export function AccountMenu(props: AccountMenuProps) {
  const { email, displayName, onSwitchBrand, onNewBrand, onSettings, onShortcuts, onSignOut } = props
  const [theme, setTheme] = useState<ThemeChoice>(readTheme)
  const name = displayName ?? email.split('@')[0] ?? email
  const pickTheme = (choice: ThemeChoice) => {
    chooseTheme(choice)
    setTheme(choice)
  }
  return (
    <Menu
      label="Account"
      trigger={
        <button
          type="button"
          aria-label={`Account: ${email}`}
          className="flex h-9 items-center gap-2 rounded-control px-1.5 text-ink3 hover:bg-hover aria-expanded:bg-active max-sm:size-11 max-sm:justify-center max-sm:rounded-full max-sm:p-0"
        >
          <Avatar name={name} size={28} />
          <ChevronDownIcon className="max-sm:hidden" />
        </button>
      }
    >
      <div className="px-2.5 py-1.5">
        <p className="max-w-64 truncate font-medium">{name}</p>
        <p className="max-w-64 truncate text-ink2">{email}</p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<MoveIcon />} onSelect={onSwitchBrand}>
        Switch Brand
      </MenuItem>
      <MenuItem icon={<PlusIcon />} onSelect={onNewBrand}>
        New brand
      </MenuItem>
      <MenuSeparator />
      <div className="sm:hidden">
        <MenuItem icon={<SettingsIcon />} onSelect={onSettings}>
          Settings
        </MenuItem>
      </div>
      <Submenu icon={<AppearanceIcon />} label="Appearance" hint={themes.find(({ value }) => value === theme)?.label}>
        {themes.map(({ value, label, icon }) => (
          <MenuItem key={value} icon={icon} checked={value === theme} onSelect={() => pickTheme(value)}>
            {label}
          </MenuItem>
        ))}
      </Submenu>
      <div className="max-sm:hidden">
        <MenuItem icon={<KeyboardIcon />} shortcut="?" onSelect={onShortcuts}>
          Keyboard shortcuts
        </MenuItem>
      </div>
      <MenuSeparator />
      <MenuItem icon={<SignOutIcon />} onSelect={onSignOut}>
        Sign Out
      </MenuItem>
    </Menu>
  )
}
