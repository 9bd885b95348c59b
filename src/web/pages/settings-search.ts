const settingsTabs = ['fields', 'notifications', 'security', 'brand'] as const

/** The search parameters of /crm/settings: its tab; absent: the team. */
export interface SettingsSearch {
  tab?: (typeof settingsTabs)[number] | undefined
}

/** Reads `?tab=security`; an unknown tab is the team. */
export function settingsSearch({ tab }: Readonly<Record<string, unknown>>): SettingsSearch {
  return { tab: settingsTabs.find((each) => each === tab) }
}
