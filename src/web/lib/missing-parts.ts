/** Whether a form of this page holds something that a reload would lose. */
export function hasUnsentText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'form input:not([type=checkbox], [type=radio], [type=hidden], [type=search], [type=submit]), form textarea',
  )
  return Array.from(fields).some((field) => field.value.trim() !== '' && field.value !== field.dataset['initial'])
}

/**
 * A part of this version did not come. Where the server has another version by now (and nothing keeps the old one), the page is loaded
 * anew, unless something typed would be lost; where it is only away, the page stays, and the next use asks again.
 */
export function recoverFromMissingParts(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  const key = 'banyan-reloaded-for'
  const version = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
  if (!version || !(await isReplaced(version))) return
  // Once a version: a file that is missing for another reason must not make the page turn in circles.
  if (hasUnsentText() || sessionStorage.getItem(key) === version) return
  sessionStorage.setItem(key, version)
  location.reload()
}

/** Whether the server has a page with another first script. */
async function isReplaced(version: string): Promise<boolean> {
  try {
    const answer = await fetch('/index.html', { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes(version)
  } catch {
    return false
  }
}
