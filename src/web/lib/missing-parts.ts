/** Whether a form of this page holds something that a reload would lose. */
export function hasUnsentText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'form input:not([type=checkbox], [type=radio], [type=hidden], [type=search], [type=submit]), form textarea',
  )
  return Array.from(fields).some((field) => field.value.trim() !== '' && field.value !== field.dataset['initial'])
}

/**
 * A part of this version is no longer to be had (a new one was installed on the server while this page was open, and nothing keeps the
 * old one): loads the page anew, unless something typed would be lost.
 */
export function recoverFromMissingParts(): void {
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) return
    event.preventDefault()
    const key = 'banyan-reloaded-for'
    const version = document.querySelector('script[type=module]')?.getAttribute('src') ?? ''
    // Once a version: a file that is missing for another reason must not make the page turn in circles.
    if (hasUnsentText() || sessionStorage.getItem(key) === version) return
    sessionStorage.setItem(key, version)
    location.reload()
  })
}
