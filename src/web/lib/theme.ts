export type ThemeChoice = 'system' | 'light' | 'dark'

const themeKey = 'banyan-theme'
const barColors = { light: '#fbfcfb', dark: '#0c1010' }
const darkQuery = () => matchMedia('(prefers-color-scheme: dark)')

/** Returns the theme that was chosen on this device, 'system' by default. /first-paint.js applies it before the first paint. */
export function readTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(themeKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Chooses the theme of this device. It is stored and applied at once. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(themeKey)
    else localStorage.setItem(themeKey, choice)
  } catch {
    // Without storage, the choice is lost when the page reloads or the system's theme changes.
  }
  applyTheme(choice)
}

/** Keeps the theme up to date: follows the system's theme if none is chosen, and follows choices that are made in other tabs. */
export function followTheme(): void {
  darkQuery().addEventListener('change', () => applyTheme(readTheme()))
  window.addEventListener('storage', (event) => {
    if (event.key === themeKey) applyTheme(readTheme())
  })
}

function applyTheme(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'system' && darkQuery().matches)
  document.documentElement.classList.toggle('dark', isDark)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', isDark ? barColors.dark : barColors.light)
}
