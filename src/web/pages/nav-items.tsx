import type { NavItem } from '#web/features/navigation/nav-item.ts'
import { BuildingIcon, HandshakeIcon, OverviewIcon, PeopleIcon, SettingsIcon } from '#web/ui/icons.tsx'
import { nouns } from './nouns.ts'

/** The items of the sidebar and of the bottom navigation, in the order of spec section 2. */
export const navItems: readonly NavItem[] = [
  { to: '/crm/overview', label: 'Overview', icon: <OverviewIcon /> },
  { to: '/crm/deals', label: 'Deals', icon: <HandshakeIcon /> },
  { to: '/crm/contacts', label: 'Contacts', icon: <PeopleIcon />, also: '/crm/import-contacts' },
  { to: '/crm/companies', label: 'Companies', icon: <BuildingIcon /> },
  ...nouns.map(([noun, { label, icon }]) => ({ to: `/crm/${noun}` as const, label, icon })),
  { to: '/crm/settings', label: 'Settings', icon: <SettingsIcon />, isInMenu: true },
]
